/** Gives a text that is cut by its box a title with the whole text, when the pointer comes. */
export function titleIfCut({ currentTarget }: PointerEvent & { currentTarget: HTMLElement }) {
  const label = currentTarget.querySelector<HTMLElement>('.sidebar-row-label')
  if (!label) return
  if (label.scrollWidth > label.clientWidth) label.title = label.textContent ?? ''
  else label.removeAttribute('title')
}
