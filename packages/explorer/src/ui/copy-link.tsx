import { useContext, useState } from "preact/hooks";
import { HostContext } from "../client/host.js";
import { ToolButton } from "./tools.js";

/**
 * A button that copies the whole address of a page, below the public home page if one is set, or
 * shows it if the browser refuses to.
 */
export function CopyLink({ name, address }: { readonly name: string; readonly address: string }) {
  const [last, setLast] = useState<string | undefined>();
  const { url } = useContext(HostContext);
  const copy = async () => {
    const link = new URL(address, url ?? document.baseURI).href;
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
