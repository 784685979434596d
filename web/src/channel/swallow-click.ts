/** The browser makes a click of a touch so long after the finger is lifted. */
const CLICK_FOLLOWS = 100

/** The finger is still down, and what it lets go of is no longer what it pressed. */
export function swallowClick() {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const lifted = () => {
    removeEventListener('pointerup', lifted, true)
    removeEventListener('pointercancel', lifted, true)
    setTimeout(() => removeEventListener('click', swallow, true), CLICK_FOLLOWS)
  }
  addEventListener('click', swallow, true)
  addEventListener('pointerup', lifted, true)
  addEventListener('pointercancel', lifted, true)
}
