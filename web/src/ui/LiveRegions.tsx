import { assertive, polite, type Spoken } from './feedback.ts'

/** Mounted from the start: screen readers skip a live region that is added together with its text. */
export function LiveRegions() {
  return (
    <>
      <div class="visually-hidden" aria-live="polite">
        {polite.value.map(sentence)}
      </div>
      <div class="visually-hidden" aria-live="assertive">
        {assertive.value.map(sentence)}
      </div>
    </>
  )
}

const sentence = ({ key, text }: Spoken) => <p key={key}>{text}</p>
