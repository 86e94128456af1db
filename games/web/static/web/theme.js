/* Apply the stored theme and card size before the first paint, to avoid a flash of the default ones. */
try {
  const settings = JSON.parse(localStorage.getItem("haggis.settings"));
  const { dataset } = document.documentElement;
  if (settings?.theme && settings.theme !== "system") dataset.theme = settings.theme;
  if (settings?.motion === false || settings?.animationSpeed === "off") dataset.motion = "off";
  if (settings?.cardSize) dataset.cardSize = settings.cardSize;
} catch {
  // Without stored settings, the system's theme and the default size apply.
}
