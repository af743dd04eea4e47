export { SiteError, type SiteOptions, type WrittenSite, writeSite } from "./write-site.js";
