// Starts the bundled API pages. A file of its own, because the page's policy allows nothing inline.
const place = document.getElementById("swagger-ui");
window.ui = SwaggerUIBundle({
  url: place.dataset.openapi,
  dom_id: "#swagger-ui",
  layout: "BaseLayout",
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = place.dataset.csrf;
    return request;
  },
});
