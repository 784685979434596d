import { useEffect, useState } from 'preact/hooks'
import type { EditPayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../../i18n/i18n.ts'
import { tolerateFailure } from '../../../net/requests/failure.ts'
import { versions } from '../../../net/requests/lazy-endpoints.ts'
import { wordChanges } from './word-changes.ts'
import './Versions.css'

/** The versions of a text, the newest first: words struck and added against the version before. */
export function Versions({ message }: { message: number }) {
  const [found, setFound] = useState<EditPayload[] | 'failed' | undefined>()
  useEffect(() => {
    versions(message).then(setFound, error => {
      tolerateFailure(error)
      setFound('failed')
    })
  }, [message])
  const words = strings.versions
  if (found === 'failed') return <p class="versions-none error">{words.notLoaded}</p>
  if (!found) return <div class="versions" aria-busy="true" />
  if (found.length < 2) return <p class="versions-none hint">{words.onlyThis}</p>
  return (
    <ol class="versions" aria-label={words.label} reversed>
      {found
        .map(({ ts, content }, at) => (
          <li key={ts}>
            <div class="versions-time">
              {at === found.length - 1 && <b>{words.present}</b>}
              <span>{words.writtenAt(ts)}</span>
            </div>
            <p dir="auto">
              <Changed before={found[at - 1]?.content} after={content} />
            </p>
          </li>
        ))
        .reverse()}
    </ol>
  )
}

function Changed({ before, after }: { before: string | undefined; after: string }) {
  if (before === undefined) return <>{after}</>
  return (
    <>
      {wordChanges(before, after).map(({ kind, text }, at) =>
        kind === 'same' ? (
          text
        ) : kind === 'removed' ? (
          <del key={at}>
            <span class="visually-hidden">{strings.versions.removed} </span>
            {text}
          </del>
        ) : (
          <ins key={at}>
            <span class="visually-hidden">{strings.versions.added} </span>
            {text}
          </ins>
        ),
      )}
    </>
  )
}
