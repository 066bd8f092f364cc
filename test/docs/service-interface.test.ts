import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../server-kit/service/endpoints.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { readPage } from './pages.ts';

const { text } = readPage('docs/reference/service-interface.md');
const sections = [...text.matchAll(/^##+ ([\d.]+) /gm)].map(([, section]) => section);

const sources = ['src', 'server-kit'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder), { encoding: 'utf8', recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(projectFolder, folder, name), 'utf8')),
);
/** The sections that comments cite, as `interface, sections 4.2, 4.9 and 4.11`. */
const cited = sources
  .flatMap((source) => [...source.matchAll(/interface, sections? ([\d., and]*\d)/gi)])
  .flatMap(([, list = '']) => list.match(/\d+(\.\d+)?/g) ?? []);

describe("the page of the service's interface", () => {
  it('has the sections that the code cites', () => {
    expect(cited.length).toBeGreaterThan(40);
    expect([...new Set(cited)].filter((section) => !sections.includes(section))).toEqual([]);
  });

  it('has the section of every endpoint', () => {
    for (const { section, method, path } of Object.values(endpoints))
      expect(text).toContain(`### ${section} \`${method} ${path}\``);
  });
});
