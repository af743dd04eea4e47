/*
 * The worker of a site, which answers its pages. It is bundled into `web/worker.js` for browsers.
 */
import type { SiteReply } from "@gridlock/explorer";
import { SiteAnswers } from "./answers.js";

/** The device's memory in gigabytes, which some browsers tell, and the part of it for a table. */
const GIGABYTES = (navigator as { readonly deviceMemory?: number }).deviceMemory ?? 4;
const TABLE_BYTES = (GIGABYTES * 2 ** 30) / 16;

const answers = new SiteAnswers(async (name) => {
  try {
    const response = await fetch(new URL(name, import.meta.url));
    // Some hosts have a page for all files that are missing, with the status 200.
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    if (response.status === 404 || isPage) return undefined;
    if (!response.ok) throw new Error(`the host answers ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new Error(`The file ${name} cannot be loaded: ${(error as Error).message}`);
  }
}, TABLE_BYTES);

/** The ports of questions whose answers nobody waits for any more. */
const cancelled = new WeakSet<MessagePort>();
let last: Promise<void> = Promise.resolve();

async function answer(address: string, port: MessagePort): Promise<void> {
  const post = (reply: SiteReply) => port.postMessage(reply);
  if (cancelled.has(port)) return;
  try {
    post({ value: await answers.answer(address, () => cancelled.has(port)) });
  } catch (error) {
    post({ error: (error as Error).message });
  }
}

addEventListener("message", ({ data: address, ports: [port] }: MessageEvent<string>) => {
  if (port === undefined) return;
  port.onmessage = () => cancelled.add(port);
  last = last.then(() => answer(address, port));
});
