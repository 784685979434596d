import { viewer } from '../store/store.ts'

const NAMED = new RegExp(`(?<![\\w@/.-])(@(?:${viewer}|everyone))(?![\\w-])`, 'gi')

/** A plain text in which the names of the viewer and of everyone stand out. */
export function NamedText({ text }: { text: string }) {
  const parts = text.split(NAMED)
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 1 ? (
          <span key={at} class="mention is-viewer" dir="ltr">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  )
}
