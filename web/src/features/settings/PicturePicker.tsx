import { useEffect, useRef, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { pictured } from '../../store/people/profiles.ts'
import { viewer } from '../../store/store.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { CropBox } from './CropBox.tsx'
import { LARGEST_ZOOM, zoomed } from './crop.ts'
import { Face } from './Face.tsx'
import { pictureIn } from './picture.ts'
import * as draft from './profile-draft.ts'
import { Range } from './rows.tsx'
import './PicturePicker.css'

export function PicturePicker() {
  const texts = strings.myProfile
  const input = useRef<HTMLInputElement>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  const chosen = draft.picture.value
  const hasPicture = chosen !== null && (chosen !== undefined || pictured.value.has(viewer))

  const take = async (file: Blob | null | undefined) => {
    if (!file) return
    const picture = await pictureIn(file)
    setUnreadable(picture === undefined)
    if (picture) draft.takePicture(picture)
  }
  usePasted(take)

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file dropped here could as well be chosen by the button
    <div
      class="picture-picker"
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        event.stopPropagation()
        void take(event.dataTransfer?.files[0])
      }}
    >
      <CropBox />
      <div class="picture-picker-side">
        <div class="picture-picker-looks">
          <Face size={64} />
          <Face size={36} />
          <Face size={20} />
          <span class="hint">{texts.preview}</span>
        </div>
        {chosen && (
          <div class="picture-picker-zoom">
            <Icon name="zoom" size={16} />
            <Range
              label={texts.zoom}
              value={draft.crop.value.zoom}
              least={1}
              most={LARGEST_ZOOM}
              text={texts.zoomed(Math.round(draft.crop.value.zoom * 100))}
              set={zoom => {
                draft.crop.value = zoomed(chosen, draft.crop.peek(), zoom)
              }}
            />
          </div>
        )}
        <div class="settings-side">
          <button type="button" class="button" onClick={() => input.current?.click()}>
            {texts.choose}
          </button>
          <input
            ref={input}
            type="file"
            accept="image/*"
            hidden
            onChange={event => {
              void take(event.currentTarget.files?.[0])
              // Allows choosing the same file again.
              event.currentTarget.value = ''
            }}
          />
          {hasPicture && (
            <button
              type="button"
              class="button button-quiet button-danger-text"
              onClick={event => {
                event.currentTarget.parentElement?.querySelector('button')?.focus()
                removePicture()
              }}
            >
              {texts.remove}
            </button>
          )}
        </div>
        {isUnreadable ? (
          <ErrorLine>{texts.unreadable}</ErrorLine>
        ) : (
          <span class="hint">{chosen ? texts.cropHint : hasPicture ? '' : texts.noPicture}</span>
        )}
      </div>
    </div>
  )
}

/** Drops a newly chosen picture; otherwise marks the saved one, if any, for removal. */
function removePicture() {
  draft.takePicture(null)
  if (!pictured.peek().has(viewer)) draft.picture.value = undefined
}

function usePasted(take: (file: Blob) => Promise<void>) {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0]
      if (file) void take(file)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}
