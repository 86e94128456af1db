/* Before anything is drawn: the colours that were chosen last time, so that nothing flashes. */
try {
  const kept = JSON.parse(localStorage.getItem("haggis.settings"));
  if (kept?.theme && kept.theme !== "system") document.documentElement.dataset.theme = kept.theme;
  if (kept?.motion === false) document.documentElement.dataset.motion = "off";
} catch {
  // Nothing is kept: the colours of the system.
}
