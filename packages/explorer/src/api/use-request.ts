import { useEffect, useRef, useState } from "preact/hooks";
import { readable } from "./request.js";

/** Most characters of an answer that are shown. */
const SHOWN = 20_000;

/** A request that was sent, and what has arrived of its answer. */
export interface Sent {
  /** The status, the type and the time of the answer, or what went wrong. */
  readonly summary: string;
  readonly text: string;
  /** The address of a picture. */
  readonly image?: string;
  readonly isUnderWay: boolean;
}

/** The body of a request. */
interface SentBody {
  readonly type: string;
  readonly text: string;
}

/** Sends requests, one at a time, and shows their answers as they arrive. */
export function useRequest() {
  const [sent, setSent] = useState<Sent | undefined>();
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const stop = () => current.current?.abort();
  const send = async (address: string, body: SentBody | undefined) => {
    stop();
    const abort = new AbortController();
    current.current = abort;
    let arrived: Sent = { summary: "Waiting for the answer …", text: "", isUnderWay: true };
    const show = (news: Partial<Sent>) => {
      arrived = { ...arrived, ...news };
      if (current.current === abort) setSent(arrived);
    };
    show({});
    try {
      await receive(address, body, abort, show);
      show({ isUnderWay: false });
    } catch (error) {
      const summary = abort.signal.aborted ? `${arrived.summary} · stopped` : String(error);
      show({ summary, isUnderWay: false });
    }
  };
  return { sent, send, stop };
}

async function receive(
  address: string,
  body: SentBody | undefined,
  abort: AbortController,
  show: (news: Partial<Sent>) => void,
): Promise<void> {
  const began = performance.now();
  const init =
    body === undefined
      ? {}
      : { method: "POST", body: body.text, headers: { "content-type": body.type } };
  const response = await fetch(address, { ...init, signal: abort.signal });
  const type = response.headers.get("content-type") ?? "";
  const about = `${response.status} ${response.statusText} · ${type}`;
  show({ summary: about });
  const done = () => `${about} · ${Math.round(performance.now() - began)} ms`;
  if (type.startsWith("image/")) {
    await response.arrayBuffer();
    show({ summary: done(), image: address });
    return;
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader !== undefined) {
    const part = await reader.read();
    if (part.done) break;
    text += part.value;
    if (text.length > SHOWN) {
      await reader.cancel();
      show({ summary: `${done()} · the beginning`, text: text.slice(0, SHOWN) });
      return;
    }
    show({ text });
  }
  show({ summary: done(), text: readable(text, type) });
}
