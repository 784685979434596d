/** True on a link, an image or selected text: the browser's own menu is needed there. */
export function hasBrowserMenu(target: Element) {
  const selection = getSelection()
  const isSelected = selection && !selection.isCollapsed && selection.containsNode(target, true)
  return isSelected || target.closest('a, input, textarea, .image-attachment') !== null
}
