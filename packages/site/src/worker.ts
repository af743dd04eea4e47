/*
 * The worker of a site, which answers its pages. It is bundled into `web/worker.js` for browsers.
 */
import type { SiteReply, SiteRequest } from "@gridlock/explorer";
import { SiteAnswers } from "./answers.js";

/** The device's memory in gigabytes, which some browsers tell, and the part of it for a table. */
const GIGABYTES = (navigator as { readonly deviceMemory?: number }).deviceMemory ?? 4;
const TABLE_BYTES = (GIGABYTES * 2 ** 30) / 16;

const answers = new SiteAnswers(async (name) => {
  const response = await fetch(new URL(name, import.meta.url));
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${name} cannot be loaded: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}, TABLE_BYTES);

/** Questions that somebody waits for. */
const asked = new Set<number>();
let last: Promise<void> = Promise.resolve();

async function answer(id: number, address: string): Promise<void> {
  if (!asked.has(id)) return;
  try {
    let known: unknown;
    for await (const value of answers.answer(address)) {
      known = value;
      post({ id, value, partial: true });
      await turn();
      if (!asked.has(id)) return;
    }
    post({ id, value: known, partial: false });
  } catch (error) {
    post({ id, error: (error as Error).message });
  } finally {
    asked.delete(id);
  }
}

/** Lets the messages that have come be handled, such as that nobody waits any longer. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function post(reply: SiteReply): void {
  postMessage(reply);
}

addEventListener("message", ({ data }: MessageEvent<SiteRequest>) => {
  if ("cancelled" in data) return void asked.delete(data.id);
  asked.add(data.id);
  last = last.then(() => answer(data.id, data.address));
});
