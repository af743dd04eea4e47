import { useState } from "preact/hooks";
import { useWholeAddress } from "../client/host.js";
import { ToolButton } from "./tools.js";

/** A button that copies the whole address of a page or, if the browser refuses to, shows it. */
export function CopyLink({ name, address }: { readonly name: string; readonly address: string }) {
  const [last, setLast] = useState<string | undefined>();
  const whole = useWholeAddress();
  const copy = async () => {
    const link = whole(address);
    try {
      // Browsers have no clipboard for pages without TLS, and readers may refuse it.
      await navigator.clipboard.writeText(link);
      setLast(address);
    } catch {
      prompt("The link:", link);
    }
  };
  return <ToolButton icon="link" name={last === address ? "Copied" : name} onClick={copy} />;
}
