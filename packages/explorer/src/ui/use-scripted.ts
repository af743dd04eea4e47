import { useEffect, useState } from "preact/hooks";

/**
 * Returns whether scripts run: not yet when the browser takes over what the server rendered, and
 * from then on.
 */
export function useScripted(): boolean {
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  return scripted;
}
