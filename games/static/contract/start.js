"use strict";

// The contract's page: what it shows stands in the page itself, so that no script has to be written into it.
const place = document.getElementById("contract");
SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
});
