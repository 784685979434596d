import { assertive, polite } from './feedback.ts'

/** In the page from the start: a region that is added with its words is not read. */
export function LiveRegions() {
  return (
    <>
      <div class="vh" aria-live="polite">
        {polite.value}
      </div>
      <div class="vh" aria-live="assertive">
        {assertive.value}
      </div>
    </>
  )
}
