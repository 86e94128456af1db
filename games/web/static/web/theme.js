/* Before anything is drawn: the colours that were chosen last time, so that nothing flashes. */
try {
  const settings = JSON.parse(localStorage.getItem("haggis.settings"));
  if (settings?.theme && settings.theme !== "system") document.documentElement.dataset.theme = settings.theme;
  if (settings?.motion === false) document.documentElement.dataset.motion = "off";
} catch {
  // Nothing is kept: the colours of the system.
}
