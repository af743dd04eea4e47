import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Host } from "../page.js";

/** The host that shows the components below. */
export const HostContext = createContext<Host>({ kind: "server", base: "./", here: "" });

/** Seconds of search for a board in the reader's own browser. */
const OWN_SECONDS = 20;

/** Returns the most seconds to search for a board. */
export function useSeconds(): number {
  return useContext(HostContext).budget ?? OWN_SECONDS;
}
