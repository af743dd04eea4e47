// Sets the theme that the reader chose before anything is drawn.
try {
  document.documentElement.dataset.theme = localStorage.getItem("gridlock-theme") ?? "auto";
} catch {
  // A browser that stores nothing follows the system.
}
