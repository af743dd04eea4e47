import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Host } from "../page.js";

/** The host that shows the components below. */
export const HostContext = createContext<Host>({ kind: "server", base: "./", here: "" });

/** Returns a function that makes addresses whole: below the public home page, if one is set. */
export function useWholeAddress(): (address: string) => string {
  const { url } = useContext(HostContext);
  return (address) => new URL(address, url ?? document.baseURI).href;
}

/** Seconds of search for a board in the reader's own browser. */
const OWN_SECONDS = 20;

/** Returns the most seconds to search for a board. */
export function useSeconds(): number {
  return useContext(HostContext).budget ?? OWN_SECONDS;
}
