/* Make Unfold's pages work with the build of Alpine.js that never evaluates a string as code, so that the policy of the
   admin needs no 'unsafe-eval' (decision 34).

   That build parses expressions itself. It calls registered components, but no functions of the window, and it knows neither
   arrow functions nor several statements. So Unfold's functions are registered, the expressions on <body> are replaced by a
   component that does the same, and the button of the sidebar no longer stores its state itself. */

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
