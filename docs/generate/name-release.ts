import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import manifest from '../../package.json';
import { projectFolder } from './pages.ts';

const unreleased = '## Unreleased\n';

// `npm version` runs this once package.json has the new version.
const file = `${projectFolder}CHANGELOG.md`;
const changelog = readFileSync(file, 'utf8');
if (!changelog.includes(unreleased)) {
  throw new Error(`CHANGELOG.md has no section "${unreleased.trim()}", so there is nothing to release.`);
}
const date = new Date().toISOString().slice(0, 10);
writeFileSync(file, changelog.replace(unreleased, `## ${manifest.version} (${date})\n`));

// The examples take the release from npm.
const examples = `${projectFolder}demo/examples`;
for (const entry of readdirSync(examples, { withFileTypes: true }).filter((one) => one.isDirectory())) {
  const path = `${examples}/${entry.name}/package.json`;
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/("transfer-checkout": )".*"/, `$1"${manifest.version}"`));
}
