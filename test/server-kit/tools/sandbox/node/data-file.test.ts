import { appendFile, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../../../../../server-kit/tools/sandbox/index.ts';
import { DataFileError, openDataFile } from '../../../../../server-kit/tools/sandbox/node/index.ts';
import { buildForNode } from '../../../kit/build-for-node.ts';
import { call, goodBody, initiate, newSandbox, verify } from '../sandbox-kit.ts';
import { newFolder, runProcess } from './data-file-kit.ts';

const header = '{"format":"transfer-checkout sandbox","version":1}';

async function open(path: string) {
  const file = await openDataFile(path);
  onTestFinished(() => file.close().catch(() => {}));
  return file;
}

const refusal = (path: string): Promise<unknown> => openDataFile(path).catch((error: unknown) => error);

/** Beyond what Linux gives out. */
const noPid = 2 ** 22 + 1;

/** Creates the lock of another process, and returns its entry. */
async function lockOf(path: string, pid: number, start = 'unknown'): Promise<string> {
  const entry = `${pid}.${start}.token`;
  await mkdir(`${path}.lock`);
  await writeFile(join(`${path}.lock`, entry), '');
  return entry;
}

describe('a data file', () => {
  it('is text: a header and one line for each write', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const file = await open(path);
    expect(file.entries).toEqual([]);
    await file.append([
      ['payments', 'a', { id: 'a', name: 'Ẹ\n' }],
      ['clock', 'clock', { id: 'clock' }],
    ]);
    await file.append([['payments', 'b', { id: 'b' }]]);
    expect((await readFile(path, 'utf8')).split('\n')).toEqual([
      header,
      '[["payments","a",{"id":"a","name":"Ẹ\\n"}],["clock","clock",{"id":"clock"}]]',
      '[["payments","b",{"id":"b"}]]',
      '',
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('returns the last version of each record in the order of creation', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const first = await openDataFile(path);
    const put = (id: string, record: unknown): Promise<void> => first.append([['payments', id, record]]);
    await put('a', { id: 'a', n: 1 });
    await put('b', { id: 'b' });
    await put('c', { id: 'c' });
    await put('a', { id: 'a', n: 2 });
    await put('b', null);
    await first.close();
    const kept: JournalEntry[] = [
      ['payments', 'a', { id: 'a', n: 2 }],
      ['payments', 'c', { id: 'c' }],
    ];
    expect((await open(path)).entries).toEqual(kept);
    expect((await readFile(path, 'utf8')).trim().split('\n')).toEqual([
      header,
      ...kept.map((entry) => JSON.stringify([entry])),
    ]);
  });

  it('restores the whole sandbox: payments, transfers and the frozen clock', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const storage = await openDataFile(path);
    const before = newSandbox({ storage });
    const { accountNumber } = await initiate(before);
    before.control.transfer({ accountNumber, amount: 1_250_000 });
    before.control.setClock({ advanceSeconds: 3600, frozen: true });
    await verify(before);
    await storage.close();
    const after = newSandbox({ storage: await open(path) });
    expect(after.control.listPayments()).toEqual(before.control.listPayments());
    expect(after.control.readClock()).toEqual(before.control.readClock());
    expect((await call(after, '/v1/payments', { body: goodBody })).body.error.code).toBe('reference_exists');
  });

  it.each([
    ['half an entry', '[["payments","x",{"id'],
    ['half a character', Buffer.from('[["payments","Ẹ').subarray(0, -1)],
  ])('ignores an incomplete last line: %s', async (_name, rest) => {
    const path = join(await newFolder(), 'data.jsonl');
    await writeFile(path, `${header}\n[["payments","a",{"id":"a"}]]\n`);
    await appendFile(path, rest);
    const file = await open(path);
    expect(file.entries).toEqual([['payments', 'a', { id: 'a' }]]);
    await file.append([['payments', 'b', { id: 'b' }]]);
    await file.close();
    expect((await open(path)).entries).toHaveLength(2);
  });

  it('keeps a complete last line without a line break, as editors save it', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    await writeFile(path, `${header}\n[["payments","a",{"id":"a"}]]`);
    expect((await open(path)).entries).toHaveLength(1);
  });

  it.each<[string, string | Buffer]>([
    ['no JSON', '[["payments","a",{"id'],
    ['no entries', '{"payments":1}'],
    ['an entry of two', '[["payments","a"]]'],
    ['an invalid record', '[["payments","a",5]]'],
    ['a record without its id', '[["payments","a",{"reference":"a"}]]'],
    ['a record with the id of another', '[["payments","a",{"id":"b"}]]'],
    ['nothing', ''],
    ['no UTF-8', Buffer.from([0x5b, 0x5b, 0x22, 0xff, 0x22, 0x5d, 0x5d])],
  ])('refuses a damaged line in the middle and names it: %s', async (_name, line) => {
    const path = join(await newFolder(), 'data.jsonl');
    const good = '[["payments","a",{"id":"a"}]]\n';
    const text = Buffer.concat([
      Buffer.from(`${header}\n${good}`),
      Buffer.from(line),
      Buffer.from(`\n${good}`),
    ]);
    await writeFile(path, text);
    const error = await refusal(path);
    expect(error).toMatchObject({ name: 'DataFileError', code: 'damaged' });
    expect((error as Error).message).toContain(`Line 3 of ${path} is damaged`);
    expect(await readFile(path)).toEqual(text);
  });

  it('refuses a damaged last line with a line break, which was stored once', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    await writeFile(path, `${header}\n[["pay\n`);
    expect(await refusal(path)).toMatchObject({ code: 'damaged' });
  });

  it.each<[string, string, string]>([
    ['a file of something else', 'a,b,c\n1,2,3\n', 'foreign'],
    ['JSON of something else', '{"name":"x"}\n', 'foreign'],
    ['half a header', header.slice(0, 20), 'foreign'],
    ['a newer format', '{"format":"transfer-checkout sandbox","version":2}\n', 'newer'],
  ])('refuses %s and does not change it', async (_name, text, code) => {
    const folder = await newFolder();
    const path = join(folder, 'data.jsonl');
    await writeFile(path, text);
    const error = await refusal(path);
    expect(error).toBeInstanceOf(DataFileError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(path) });
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await readdir(folder)).toEqual(['data.jsonl']);
  });

  it.each(['/dev/zero', '/proc'])('refuses a path that is not a file: %s', async (path) => {
    expect(await refusal(path)).toBeInstanceOf(DataFileError);
  });

  it('creates missing folders and initializes an empty file', async () => {
    const folder = await newFolder();
    expect((await open(join(folder, 'a', 'b', 'data.jsonl'))).entries).toEqual([]);
    await writeFile(join(folder, 'empty.jsonl'), '');
    expect((await open(join(folder, 'empty.jsonl'))).entries).toEqual([]);
  });

  it('keeps a link and locks a file under all its names', async () => {
    const folder = await newFolder();
    await (await openDataFile(join(folder, 'data.jsonl'))).close();
    await symlink(join(folder, 'data.jsonl'), join(folder, 'link.jsonl'));
    await open(join(folder, 'link.jsonl'));
    expect(await refusal(join(folder, 'data.jsonl'))).toMatchObject({ code: 'in_use' });
    expect((await readdir(folder)).sort()).toEqual(['data.jsonl', 'data.jsonl.lock', 'link.jsonl']);
  });

  it('stays below twice the size of its records while it is open, and keeps the last of each', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const file = await open(path);
    const text = 'x'.repeat(1_000_000);
    await file.append([['payments', 'a', { id: 'a' }]]);
    for (let n = 0; n < 40; n++) await file.append([['payments', 'b', { id: 'b', n, text }]]);
    await file.append([['payments', 'c', { id: 'c' }]]);
    expect((await stat(path)).size).toBeLessThan(20_000_000);
    await file.close();
    expect((await open(path)).entries).toEqual([
      ['payments', 'a', { id: 'a' }],
      ['payments', 'b', { id: 'b', n: 39, text }],
      ['payments', 'c', { id: 'c' }],
    ]);
  });

  it('continues when it cannot be rewritten while it is open', async () => {
    const folder = await newFolder();
    const path = join(folder, 'data.jsonl');
    const file = await open(path);
    const text = 'x'.repeat(1_000_000);
    // The file that is found under its name is another one now, and cannot be read as ours.
    await rename(path, join(folder, 'moved.jsonl'));
    await writeFile(path, 'a,b,c\n');
    for (let n = 0; n < 20; n++) await file.append([['payments', 'b', { id: 'b', n, text }]]);
    expect(await readFile(path, 'utf8')).toBe('a,b,c\n');
    expect((await stat(join(folder, 'moved.jsonl'))).size).toBeGreaterThan(20_000_000);
  });

  it('is rewritten without changes to other files, and removes a dead process’s draft', async () => {
    const folder = await newFolder();
    const path = join(folder, 'data.jsonl');
    const precious = join(folder, 'precious.txt');
    await writeFile(precious, 'precious');
    await symlink(precious, `${path}.draft`);
    const dead = await lockOf(path, noPid);
    await writeFile(join(`${path}.lock`, `${dead}.draft`), 'half of it');
    await (await openDataFile(path)).close();
    expect(await readFile(precious, 'utf8')).toBe('precious');
    expect((await readdir(folder)).sort()).toEqual(['data.jsonl', 'data.jsonl.draft', 'precious.txt']);
  });

  it('names a record that was changed by hand and is unusable', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    await writeFile(path, `${header}\n[["payments","a",{"id":"a","reference":"r"}]]\n`);
    const storage = await open(path);
    expect(() => newSandbox({ storage })).toThrow(
      'The record "a" of "payments" has been changed in the storage',
    );
  });

  it('is unlocked when it is closed, with no other file left', async () => {
    const folder = await newFolder();
    const path = join(folder, 'data.jsonl');
    await (await openDataFile(path)).close();
    await (await openDataFile(path)).close();
    expect(await readdir(folder)).toEqual(['data.jsonl']);
  });

  it('refuses a second opening in this process', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    await open(path);
    const message = `${path} is in use by process ${process.pid}; stop it, or choose another file.`;
    expect(await refusal(path)).toMatchObject({ code: 'in_use', message });
  });
});

describe('the lock of a data file', () => {
  it('is taken over from a dead process', async () => {
    const folder = await newFolder();
    const path = join(folder, 'data.jsonl');
    await lockOf(path, noPid);
    await open(path);
    expect(await readdir(`${path}.lock`)).toEqual([
      expect.stringMatching(new RegExp(`^${process.pid}\\.[\\w-]+\\.[\\w-]+$`)),
    ]);
    expect((await readdir(folder)).sort()).toEqual(['data.jsonl', 'data.jsonl.lock']);
  });

  it('is taken over when a process died during its takeover', async () => {
    const folder = await newFolder();
    const path = join(folder, 'data.jsonl');
    await mkdir(`${path}.lock`);
    await open(path);
    expect((await readdir(folder)).sort()).toEqual(['data.jsonl', 'data.jsonl.lock']);
  });

  it('is taken over by exactly one of those that open its file at once', async () => {
    const folder = await newFolder();
    const path = join(folder, 'data.jsonl');
    await lockOf(path, noPid);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => open(path)));
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(refusals).toEqual(Array(4).fill('in_use'));
    expect((await readdir(folder)).sort()).toEqual(['data.jsonl', 'data.jsonl.lock']);
  });

  it('is taken over when another process has the pid now', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    await lockOf(path, process.ppid, 'another-boot-1');
    await open(path);
  });

  it('is taken over when this process has the pid now, as in a restarted container', async () => {
    for (const start of ['unknown', 'another-boot-1']) {
      const path = join(await newFolder(), 'data.jsonl');
      await lockOf(path, process.pid, start);
      await open(path);
    }
  });

  it('holds while its process is alive, also without a known start time', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const entry = await lockOf(path, process.ppid);
    expect(await refusal(path)).toMatchObject({
      code: 'in_use',
      message: `${path} is in use by process ${process.ppid}; stop it, or choose another file.`,
    });
    expect(await readdir(`${path}.lock`)).toEqual([entry]);
  });

  it.each(['', '{"pid":1}', 'no lock'])('is not changed when it is not a folder: %s', async (text) => {
    const path = join(await newFolder(), 'data.jsonl');
    await writeFile(`${path}.lock`, text);
    expect(await refusal(path)).toMatchObject({ code: 'foreign', message: expect.stringContaining('.lock') });
    expect(await readFile(`${path}.lock`, 'utf8')).toBe(text);
  });

  it.each(['notes.txt', '1.unknown', '-1.unknown.a', '0.unknown.a', '1.unknown.a.txt'])(
    'is not changed when it has other files: %s',
    async (name) => {
      const path = join(await newFolder(), 'data.jsonl');
      await mkdir(`${path}.lock`);
      await writeFile(join(`${path}.lock`, name), '');
      const message = expect.stringContaining(`${path}.lock is not a lock of the sandbox`);
      expect(await refusal(path)).toMatchObject({ code: 'foreign', message });
      expect(await readdir(`${path}.lock`)).toEqual([name]);
    },
  );
});

describe('a data file between processes', () => {
  let built: Awaited<ReturnType<typeof buildForNode>>;
  beforeAll(async () => {
    built = await buildForNode(
      new URL('../../../../../server-kit/tools/sandbox/node/index.ts', import.meta.url),
    );
  });
  afterAll(() => built.remove());

  it('is refused to a second process until the first is killed', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const other = await runProcess(
      built.file,
      `await kit.openDataFile(args[0]); print('open'); await readLine();`,
      [path],
    );
    expect(await other.line()).toBe('open');
    const message = `${path} is in use by process ${other.pid}; stop it, or choose another file.`;
    expect(await refusal(path)).toMatchObject({ code: 'in_use', message });
    await other.kill('SIGKILL');
    await open(path);
  });

  it('is opened by exactly one of eight processes that find a dead lock', async () => {
    const folder = await newFolder();
    const script = `
      print('ready');
      for (let path = await readLine(); path !== undefined; path = await readLine()) {
        const file = await kit.openDataFile(path).catch((error) => error.code ?? String(error));
        print(typeof file === 'string' ? file : 'open');
        await readLine();
        if (typeof file !== 'string') await file.close();
        print('closed');
      }`;
    const starters = await Promise.all(Array.from({ length: 8 }, () => runProcess(built.file, script, [])));
    const lines = () => Promise.all(starters.map((starter) => starter.line()));
    await lines();
    for (let round = 0; round < 8; round++) {
      const path = join(folder, `data${round}.jsonl`);
      await lockOf(path, noPid);
      for (const starter of starters) starter.say(path);
      const results = (await lines()).sort();
      expect(results).toEqual([...Array(7).fill('in_use'), 'open']);
      for (const starter of starters) starter.say('close');
      await lines();
    }
    expect((await readdir(folder)).filter((name) => name.includes('.lock'))).toEqual([]);
  });

  it('has all acknowledged writes after kill -9, repeatedly', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const script = `
      const file = await kit.openDataFile(args[0]);
      const start = file.entries.length;
      for (let index = start; ; index++) {
        await file.append([['payments', 'p' + index, { id: 'p' + index, text: 'x'.repeat(2000) }]]);
        print('p' + index);
      }`;
    const acknowledged: string[] = [];
    for (let round = 0; round < 4; round++) {
      const writer = await runProcess(built.file, script, [path]);
      const wanted = acknowledged.length + 5 + 7 * round;
      while (acknowledged.length < wanted) acknowledged.push((await writer.line()) ?? 'ended');
      await writer.kill('SIGKILL');
      for (let line = await writer.line(); line !== undefined; line = await writer.line())
        acknowledged.push(line);
      const file = await openDataFile(path);
      const kept = file.entries.map(([, id]) => id);
      await file.close();
      expect(kept.slice(0, acknowledged.length)).toEqual(acknowledged);
      // At most one write was not acknowledged before the kill.
      expect(kept.length - acknowledged.length).toBeLessThanOrEqual(1);
      acknowledged.splice(0, acknowledged.length, ...kept);
    }
  });

  // In blocks of 1024 bytes: a file cannot become larger, as on a disk that is full.
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$@"`;

  it('is unchanged when the disk becomes full while it is rewritten', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const records = Array.from({ length: 10 }, (_, n) => ({ id: `p${n}`, text: 'x'.repeat(2000) }));
    const text = records.map((record) => `${JSON.stringify([['payments', record.id, record]])}\n`).join('');
    await writeFile(path, `${header}\n${text}`);
    const script = `await kit.openDataFile(args[0]).catch((error) => print(error.code + ': ' + error.message));`;
    const opener = await runProcess(built.file, script, [path], limited);
    expect(await opener.line()).toContain(`unusable: The data file ${path} cannot be used: EFBIG`);
    expect(await readFile(path, 'utf8')).toBe(`${header}\n${text}`);
    await opener.kill('SIGKILL');
    expect((await open(path)).entries).toHaveLength(10);
  });

  it('makes every response a 500 when its disk is full, and acknowledges nothing that is not stored', async () => {
    const path = join(await newFolder(), 'data.jsonl');
    const script = `
      const server = await kit.startSandboxServer({ port: 0, dataFile: args[0] });
      print(server.url);
      await readLine();`;
    const server = await runProcess(built.file, script, [path], limited);
    const url = (await server.line()) ?? '';
    const headers = { 'content-type': 'application/json' };
    const moveClock = () =>
      fetch(`${url}/_sandbox/clock`, { method: 'POST', headers, body: '{"advanceSeconds":1}' });
    let response = await moveClock();
    let moved = 0;
    for (; response.status === 200 && moved < 500; moved++) response = await moveClock();
    expect(response.status).toBe(500);
    const { error } = (await response.json()) as { error: { type: string; code: string; message: string } };
    expect([error.type, error.code]).toEqual(['api_error', 'storage_failed']);
    expect(error.message).toMatch(new RegExp(`${path} cannot be used: EFBIG`));
    expect((await moveClock()).status).toBe(500);
    expect((await fetch(`${url}/_sandbox/payments`)).status).toBe(500);
    expect((await fetch(`${url}/v1/none`)).status).toBe(500);
    await server.kill('SIGKILL');
    const kept = await openDataFile(path);
    await kept.close();
    const clock = kept.entries[0]?.[2] as { offsetMs: number } | undefined;
    expect(Math.round((clock?.offsetMs ?? 0) / 1000)).toBe(moved);
  });
});
