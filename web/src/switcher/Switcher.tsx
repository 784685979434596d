export function Switcher() {
  return null
}
