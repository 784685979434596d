import { useLayoutEffect, useRef } from 'preact/hooks'
import { initialsOf } from '../../common/Avatar.tsx'
import { pictureOf } from '../../store/people/profiles.ts'
import { viewer } from '../../store/store.ts'
import { shownColor } from './own-color.ts'
import { draw } from './picture.ts'
import * as draft from './profile-draft.ts'
import './Face.css'

/** Preview of the viewer's picture: the chosen crop, the saved one, or initials in the colour. */
export function Face({ size }: { size: 20 | 32 | 36 | 64 | 160 }) {
  const chosen = draft.picture.value
  const saved = pictureOf(viewer)
  return (
    <span
      class={`avatar picture-face avatar-${size} picture-face-${size}`}
      style={{ '--nc': shownColor() }}
      aria-hidden="true"
    >
      {chosen ? (
        <Cut size={size} />
      ) : saved && chosen === undefined ? (
        <img src={saved} alt="" />
      ) : (
        initialsOf(viewer)
      )}
    </span>
  )
}

function Cut({ size }: { size: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const chosen = draft.picture.value
  const crop = draft.crop.value
  useLayoutEffect(() => {
    if (canvas.current && chosen) draw(canvas.current, chosen, crop)
  }, [chosen, crop])
  const pixels = Math.round(size * devicePixelRatio)
  return <canvas ref={canvas} width={pixels} height={pixels} />
}
