import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icons.js";
import { store } from "./stored.js";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** The key under which the theme is stored; `site/theme.js` reads it before anything is drawn. */
const KEY = "gridlock-theme";

/** A button that goes through the themes: the system's, light, dark. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>("auto");
  useEffect(() => {
    const stored = document.documentElement.getAttribute("data-theme");
    setTheme(THEMES.find((each) => each === stored) ?? "auto");
  }, []);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme;
  const change = () => {
    document.documentElement.setAttribute("data-theme", next);
    store(KEY, next);
    setTheme(next);
  };
  return (
    <button type="button" class="theme" onClick={change} title={`Theme: ${theme}`}>
      <Icon name="theme" />
      <span class="hidden">
        Theme: {theme}. Change to {next}
      </span>
    </button>
  );
}
