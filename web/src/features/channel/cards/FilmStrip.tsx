import { useLayoutEffect, useRef } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../../i18n/i18n.ts'
import { fileAddress } from '../../../net/requests/endpoints.ts'
import { displayed } from '../../../store/people/people.ts'
import { mayMove } from './picture.ts'
import './FilmStrip.css'

/** Pictures to each side of the shown one, at most. */
const BESIDE = 30

interface Props {
  images: MessagePayload[]
  at: number
  go: (to: number) => void
}

/** The other images of the channel, below the shown one. A single tab stop: the arrow keys of the viewer move it. */
export function FilmStrip({ images, at, go }: Props) {
  const strip = useRef<HTMLDivElement>(null)
  const first = Math.max(0, at - BESIDE)
  useLayoutEffect(() => {
    const shown = strip.current!.querySelector<HTMLElement>('[aria-current]')
    shown?.scrollIntoView({ block: 'nearest', inline: 'center' })
    if (strip.current!.contains(document.activeElement)) shown?.focus({ preventScroll: true })
  }, [at, images.length])
  return (
    <div ref={strip} class="film-strip" role="group" aria-label={strings.viewer.strip}>
      {images.slice(first, at + BESIDE + 1).map((row, offset) => {
        const place = first + offset
        return (
          <button
            key={row.id}
            type="button"
            tabIndex={place === at ? 0 : -1}
            aria-current={place === at ? 'true' : undefined}
            aria-label={strings.viewer.inStrip(place + 1, images.length, displayed(row.sender))}
            onClick={() => go(place)}
          >
            <img
              src={fileAddress(row.filename!, 360, mayMove(row.filename!))}
              alt=""
              loading="lazy"
              draggable={false}
            />
          </button>
        )
      })}
    </div>
  )
}
