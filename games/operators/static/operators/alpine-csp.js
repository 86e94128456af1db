/* Adapt Unfold's pages to the CSP build of Alpine.js, so that the Content-Security-Policy of the admin does not need
   'unsafe-eval' (decision 34).

   That build parses expressions itself. It calls registered components, but not global functions, and supports neither
   arrow functions nor several statements. Therefore Unfold's functions are registered as components, the expressions on
   <body> are replaced by an equivalent component, and the sidebar button no longer stores its state itself. */

document.addEventListener("alpine:init", () => {
  const { Alpine } = window;
  for (const name of ["theme", "searchForm", "searchDropdown", "searchCommand"]) {
    if (name in window) Alpine.data(name, window[name]);
  }

  const { body } = document;
  const tab = /activeTab: '([^']*)'/.exec(body.getAttribute("x-data") ?? "");
  Alpine.data("adminPage", () => ({
    activeTab: tab === null ? "" : window.getCurrentTab() || tab[1],
    sidebarMobileOpen: false,
    sidebarDesktopOpen: localStorage.getItem("sidebarDesktopOpen") !== "0",
    init() {
      this.$watch("sidebarDesktopOpen", (open) => localStorage.setItem("sidebarDesktopOpen", open ? "1" : "0"));
    },
  }));
  body.setAttribute("x-data", "adminPage");
  body.removeAttribute("x-init");
  for (const button of document.querySelectorAll("[x-on\\:click*='; localStorage.']")) {
    button.setAttribute("x-on:click", button.getAttribute("x-on:click").split(";")[0]);
  }
});
