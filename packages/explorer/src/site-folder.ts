import { fileURLToPath } from "node:url";

/** The folder of the files that pages load: `app.js`, `app.css`, `theme.js` and `favicon.svg`, served below `/site/`. */
export const siteFolder: string = fileURLToPath(new URL("../site", import.meta.url));
