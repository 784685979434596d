import { useRef, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { putLogo, removeLogo } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { workspace } from '../../store/store.ts'
import { Icon, Logo } from '../../ui/Icon.tsx'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
const MOST_BYTES = 1024 * 1024

/** The picture of the workspace, saved when it is chosen. */
export function LogoRow({ saved }: { saved: () => void }) {
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const logo = workspace.value?.logo
  const texts = strings.workspaceSettings
  const run = async (change: () => Promise<unknown>) => {
    setProblem('')
    try {
      await change()
      saved()
    } catch (error) {
      tolerateFailure(error)
      setProblem(error.status === 400 || error.status === 413 ? texts.wrongLogo : texts.notSaved)
    }
  }
  const choose = (file: File | undefined) => {
    if (!file) return
    if (!TYPES.includes(file.type) || file.size > MOST_BYTES) return setProblem(texts.wrongLogo)
    void run(() => putLogo(file))
  }
  return (
    <div class="setting-row">
      <div class="setting-logo">{logo ? <img class="logo" src={logo} alt="" /> : <Logo />}</div>
      <div class="setting-text">
        <b>{texts.logo}</b>
        <p class="hint">{texts.logoMore}</p>
        {problem && (
          <span class="error" role="alert">
            <Icon name="alert" size={16} />
            {problem}
          </span>
        )}
      </div>
      <div class="setting-control">
        {logo && (
          <button
            type="button"
            class="button button-quiet"
            aria-label={texts.removeLogo}
            onClick={() => void run(removeLogo)}
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
            choose(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </div>
    </div>
  )
}
