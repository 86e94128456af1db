/* Apply the stored theme before the first paint, to avoid a flash of the default one. */
try {
  const settings = JSON.parse(localStorage.getItem("haggis.settings"));
  if (settings?.theme && settings.theme !== "system") document.documentElement.dataset.theme = settings.theme;
  if (settings?.motion === false) document.documentElement.dataset.motion = "off";
} catch {
  // Without stored settings, the system's theme applies.
}
