import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../infra/test-runner/chromium.ts'

/**
 * Arguments for Chromium's fake camera, microphone and screen: a disc at a low frame rate to save CPU, and a beep per
 * second.
 */
export const FAKE_DEVICES = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream=device-count=1,fps=5',
  '--auto-select-desktop-capture-source=Entire screen',
]

/**
 * Disabled features of Chromium: Playwright's own list, because a second list replaces it, and the address bar pages of
 * each new window, which take a second of CPU each.
 */
const TURNED_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/**
 * A real Chromium without background services, which contact foreign servers. Headless, unless HEADED is set
 * (`npm test -- --headed`); SLOW_MO delays each action, in ms.
 */
export async function launchBrowser(more: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Browser> {
  const executablePath = await findChromium(line => process.stderr.write(`${line}\n`))
  return chromium.launch({
    executablePath,
    headless: !process.env['HEADED'],
    env: { ...process.env, ...env },
    slowMo: Number(process.env['SLOW_MO']) || 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${TURNED_OFF.join(',')}`,
      ...more,
    ],
  })
}
