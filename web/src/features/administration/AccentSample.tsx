import { accentTokens } from '#shared/domain/accent.ts'
import { strings } from '../../i18n/i18n.ts'

const THEMES = ['light', 'dark'] as const

/** A button and a word in the accent, in both themes. */
export function AccentSample({ accent }: { accent: string }) {
  return (
    <div class="accent-samples" aria-hidden="true">
      {THEMES.map(theme => {
        const tokens = accentTokens(accent, theme)
        const style = Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--${name}`, value]))
        return (
          <div key={theme} class="accent-sample" data-theme={theme} style={style}>
            <span class="button button-primary">{strings.save}</span>
            <span class="accent-sample-word">{strings.workspaceSettings.sample}</span>
          </div>
        )
      })}
    </div>
  )
}
