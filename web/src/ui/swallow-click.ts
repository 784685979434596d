/** Delay in ms within which the browser sends the click of a touch. */
const CLICK_FOLLOWS = 100

/** Suppresses the click of a long press: when the finger lifts, another element is under it. */
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
