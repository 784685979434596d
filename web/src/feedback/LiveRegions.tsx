import { assertive, polite, type Spoken } from './feedback.ts'

/** In the page from the start: a region that is added with its words is not read. */
export function LiveRegions() {
  return (
    <>
      <div class="vh" aria-live="polite">
        {polite.value.map(sentence)}
      </div>
      <div class="vh" aria-live="assertive">
        {assertive.value.map(sentence)}
      </div>
    </>
  )
}

const sentence = ({ key, text }: Spoken) => <p key={key}>{text}</p>
