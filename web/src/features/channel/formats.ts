/** Text formats that the composer inserts, with their keys (with Ctrl or Cmd). */
export const FORMATS = [
  { key: 'b', shift: false, mark: '*', icon: 'bold', label: 'bold' },
  { key: 'i', shift: false, mark: '_', icon: 'italic', label: 'italic' },
  { key: 'x', shift: true, mark: '~', icon: 'strike', label: 'strike' },
  { key: 'e', shift: true, mark: '`', icon: 'code', label: 'code' },
] as const

export function formatOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  if ((!ctrlKey && !metaKey) || altKey) return undefined
  return FORMATS.find(one => one.key === key.toLowerCase() && one.shift === shiftKey)
}
