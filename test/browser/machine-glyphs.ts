import type { CDPSession, Page } from 'playwright-core';

/** A node of the protocol's document: https://chromedevtools.github.io/devtools-protocol/tot/DOM/#type-Node */
type Node = Awaited<ReturnType<typeof readDocument>>;

const readDocument = async (browser: CDPSession) =>
  (await browser.send('DOM.getDocument', { depth: -1, pierce: true })).root;

/** Returns the text nodes below a node, also in shadow roots. */
const textsOf = (node: Node): Node[] =>
  node.nodeName === '#text'
    ? [node]
    : [...(node.shadowRoots ?? []), ...(node.children ?? [])].flatMap(textsOf);

/**
 * Finds text drawn in fonts of the machine instead of fonts that the page has loaded. Returns the characters with their fonts:
 * `“₦” (DejaVu Sans)`.
 */
export async function findMachineGlyphs(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('DOM.enable');
  await browser.send('CSS.enable');
  /** The fonts in use are those of the last layout. */
  const layOut = (): Promise<number> => page.evaluate(() => document.body.offsetHeight);
  const machineFontsOf = async ({ nodeId }: Node): Promise<string[]> => {
    const { fonts } = await browser.send('CSS.getPlatformFontsForNode', { nodeId });
    return fonts.filter(({ isCustomFont }) => !isCustomFont).map(({ familyName }) => familyName);
  };
  /** Returns the characters of a text that have such a font when they are alone in its node. */
  const charactersOf = async (text: Node): Promise<string> => {
    const { nodeId, nodeValue } = text;
    let found = '';
    // The protocol forgets a text node that becomes white space.
    for (const value of new Set(nodeValue.replaceAll(/\s/g, ''))) {
      await browser.send('DOM.setNodeValue', { nodeId, value });
      await layOut();
      if ((await machineFontsOf(text)).length > 0) found += value;
    }
    await browser.send('DOM.setNodeValue', { nodeId, value: nodeValue });
    return found || nodeValue;
  };
  await layOut();
  const texts = textsOf(await readDocument(browser));
  const drawn = await Promise.all(texts.map(async (text) => ({ text, fonts: await machineFontsOf(text) })));
  const found = new Set<string>();
  for (const { text, fonts } of drawn)
    if (fonts.length > 0) found.add(`“${await charactersOf(text)}” (${fonts.join(', ')})`);
  await browser.detach();
  return [...found];
}
