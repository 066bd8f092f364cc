import type { CDPSession, Page } from 'playwright-core';

/** A node of the protocol's document: https://chromedevtools.github.io/devtools-protocol/tot/DOM/#type-Node */
type Node = Awaited<ReturnType<typeof readDocument>>;

const readDocument = async (browser: CDPSession) =>
  (await browser.send('DOM.getDocument', { depth: -1, pierce: true })).root;

/** Returns the text nodes below a node, also in shadow roots and in generated content. */
function textsOf(node: Node): Node[] {
  const { children = [], shadowRoots = [], pseudoElements = [] } = node;
  return node.nodeName === '#text'
    ? [node]
    : [...shadowRoots, ...pseudoElements, ...children].flatMap(textsOf);
}

/**
 * Finds text drawn in fonts of the machine instead of fonts that the page has loaded. Returns the characters with their fonts:
 * `“₦” (DejaVu Sans)`.
 */
export async function findMachineGlyphs(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('DOM.enable');
  await browser.send('CSS.enable');
  const machineFontsOf = async ({ nodeId }: Node): Promise<string[]> => {
    const { fonts } = await browser.send('CSS.getPlatformFontsForNode', { nodeId });
    return fonts.filter(({ isCustomFont }) => !isCustomFont).map(({ familyName }) => familyName);
  };
  const write = async ({ nodeId }: Node, value: string): Promise<void> => {
    await browser.send('DOM.setNodeValue', { nodeId, value });
    // The fonts in use are those of the last layout.
    await page.evaluate(() => document.body.offsetHeight);
  };
  const texts = textsOf(await readDocument(browser));
  const fontsOfTexts = await Promise.all(texts.map(machineFontsOf));
  const found = new Set<string>();
  for (const [at, text] of texts.entries()) {
    const fonts = fontsOfTexts[at] ?? [];
    if (fonts.length === 0) continue;
    let drawn = '';
    // The protocol forgets a text node that becomes white space.
    for (const character of new Set(text.nodeValue.replaceAll(/\s/g, ''))) {
      await write(text, character);
      if ((await machineFontsOf(text)).length > 0) drawn += character;
    }
    await write(text, text.nodeValue);
    found.add(`“${drawn || text.nodeValue}” (${fonts.join(', ')})`);
  }
  await browser.detach();
  return [...found];
}
