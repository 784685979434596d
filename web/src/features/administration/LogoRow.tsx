import { useRef } from 'preact/hooks'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { putLogo, removeLogo } from '../../net/requests/administration.ts'
import { workspace } from '../../store/store.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Logo } from '../../ui/Icon.tsx'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
const MOST_BYTES = 1024 * 1024

/** The picture of the workspace, saved when it is chosen. */
export function LogoRow({ saved }: { saved: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const logo = workspace.value?.logo
  const texts = strings.workspaceSettings
  const form = useSubmit({
    send: removeLogo,
    whyNot: ({ status }) => (status === 400 || status === 413 ? texts.wrongLogo : texts.notSaved),
    done: saved,
  })
  const put = (file: File) =>
    TYPES.includes(file.type) && file.size <= MOST_BYTES ? putLogo(file) : texts.wrongLogo
  return (
    <div class="setting-row">
      <div class="setting-logo">{logo ? <img class="logo" src={logo} alt="" /> : <Logo />}</div>
      <div class="setting-text">
        <b>{texts.logo}</b>
        <p class="hint">{texts.logoMore}</p>
        {form.problem && <ErrorLine>{form.problem.sentence}</ErrorLine>}
      </div>
      <div class="setting-control">
        {logo && (
          <button
            type="button"
            class="button button-quiet"
            aria-label={texts.removeLogo}
            onClick={() => void form.submit()}
          >
            {texts.remove}
          </button>
        )}
        <button type="button" class="button" onClick={() => field.current?.click()}>
          {texts.chooseFile}
        </button>
        <input
          ref={field}
          type="file"
          hidden
          accept={TYPES.join(',')}
          aria-label={texts.logo}
          onChange={event => {
            const file = event.currentTarget.files?.[0]
            if (file) void form.submit(() => put(file))
            event.currentTarget.value = ''
          }}
        />
      </div>
    </div>
  )
}
