export function KeyboardSheet() {
  return null
}
