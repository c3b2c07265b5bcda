// Elements that run, load or post; attributes that run, load or style; addresses that do more than lead somewhere;
// ids that stand twice; names of ours that a text took.
() => {
  const REFUSED = `iframe, frame, frameset, object, embed, applet, base, portal, style, noscript, template, math,
    marquee, img, video, audio, picture, source, track, animate, set, image, foreignObject, form[action],
    link:not([rel=stylesheet], [rel=icon], [rel=alternate]), meta[http-equiv]:not([http-equiv=Content-Security-Policy])`;
  const ATTRIBUTES = /^(on.*|style|srcdoc|formaction|ping|background|srcset|poster|is)$/i;
  const ADDRESSES = /^(href|src|action|xlink:href)$/i;
  const OURS = /^(\.\.\/)*a\/[a-z0-9/.-]+$/;

  const found = [];
  const say = (what, element) => found.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
  const leads = (address) => !/^\s*(file:|[/\\])/i.test(address)
    && /^(file|https?|mailto):/.test(new URL(address, location.href).protocol);

  for (const element of document.querySelectorAll(REFUSED)) say("element", element);
  for (const element of document.querySelectorAll("script, link[rel=stylesheet], link[rel=icon]")) {
    if (!OURS.test(element.getAttribute(element.localName === "script" ? "src" : "href"))) say("not ours", element);
  }
  const ids = new Set();
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      if (ATTRIBUTES.test(name)) say(name, element);
      if (ADDRESSES.test(name) && !leads(value)) say(name, element);
    }
    if (element.id && ids.has(element.id)) say("id twice", element);
    ids.add(element.id);
  }
  if (globalThis.__pwn !== undefined) found.push(`ran: ${globalThis.__pwn}`);
  if (typeof globalThis.PM?.load !== "function") found.push("PM was taken");
  if (!document.title || !(document.body instanceof HTMLBodyElement)) found.push("the document was taken");
  return found;
}
