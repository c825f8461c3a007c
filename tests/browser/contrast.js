// Words of a lesson that do not stand out from their ground as WCAG AA asks: 4.5 : 1, and 3 : 1 for large ones.
() => {
  const parse = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
    return text.startsWith("color(srgb") ? [red * 255, green * 255, blue * 255, alpha] : [red, green, blue, alpha];
  };
  const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
  const light = (colour) => {
    const parts = colour.slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const bad = [];
  const words = document.createTreeWalker(document.querySelector(".st-key-lesson"), NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const element = words.currentNode.parentElement, text = words.currentNode.textContent.trim();
    // charts are tested by their colours, a slider's value stands beside its ground, and what is off may be faint
    const other = "style, script, svg, .katex-mathml, button:disabled, [aria-disabled=true], [data-testid=stSlider]";
    if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.closest(other)) continue;
    const grounds = [];
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at), ground = parse(style.backgroundColor);
      opacity *= parseFloat(style.opacity);
      if (ground[3] > 0) grounds.push(ground);
      if (ground[3] === 1) break;
    }
    const ground = grounds.reduceRight((back, front) => over(front, back), [255, 255, 255, 1]);
    const style = getComputedStyle(element), colour = parse(style.color), size = parseFloat(style.fontSize);
    const ink = over([...colour.slice(0, 3), colour[3] * opacity], ground);
    const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b), ratio = (high + 0.05) / (low + 0.05);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) bad.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return bad;
}
