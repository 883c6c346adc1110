/** The colours of web/src/tokens.css, as values: mail programs do not support variables. */
const light = {
  canvas: '#fbfaf7',
  surface: '#ffffff',
  sunken: '#f5f4ef',
  line: '#e8e6df',
  ink: '#1a1f1c',
  muted: '#5c645f',
  accent: '#0b7a4b',
  onAccent: '#ffffff',
}
const dark: typeof light = {
  canvas: '#101312',
  surface: '#161a18',
  sunken: '#1d2220',
  line: '#292f2c',
  ink: '#ebefec',
  muted: '#a2aca6',
  accent: '#3fbd86',
  onAccent: '#05150d',
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const FIGURES = 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'
const body = `${FONT};font-size:16px;line-height:26px;color:${light.ink}`
const small = `${FONT};font-size:14px;line-height:22px;color:${light.muted}`

/** The inline styles, by element. */
export const inlineStyles = {
  /** The colour alone, for the attribute that Outlook requires. */
  accent: light.accent,
  canvas: `background-color:${light.canvas}`,
  card: `padding:28px 24px;background-color:${light.surface};border:1px solid ${light.line};border-radius:12px`,
  title: `margin:0 0 16px;${FONT};font-size:24px;line-height:32px;font-weight:600;letter-spacing:-0.2px;color:${light.ink}`,
  // A long address may break anywhere, because the mail must not be wider than the screen.
  paragraph: `margin:0 0 12px;overflow-wrap:anywhere;word-break:break-word;${body}`,
  picture:
    'display:block;width:100%;max-width:480px;height:auto;margin:8px 0 12px;border-radius:8px',
  note: `margin:0 0 8px;${small}`,
  button: `background-color:${light.accent};border-radius:8px;mso-padding-alt:13px 28px`,
  buttonText: `display:block;padding:13px 28px;${FONT};font-size:16px;line-height:22px;font-weight:600;color:${light.onAccent};text-decoration:none;border-radius:8px`,
  codeBox: `padding:20px 8px;background-color:${light.sunken};border:1px solid ${light.line};border-radius:10px`,
  // Balances the letter-spacing after the last digit.
  code: `padding-left:8px;${FIGURES};font-size:32px;line-height:40px;font-weight:600;letter-spacing:8px;font-variant-numeric:tabular-nums;-webkit-user-select:all;user-select:all;color:${light.ink}`,
  bareLink: `padding-top:20px;border-top:1px solid ${light.line};${FONT};font-size:13px;line-height:20px;color:${light.muted}`,
  link: `color:${light.accent};text-decoration:none;word-break:break-all`,
  namedLink: `color:${light.accent};text-decoration:underline`,
  footer: `padding:20px 4px 0;${FONT};font-size:13px;line-height:20px;color:${light.muted}`,
}

/** Rules that cannot be inline. A program that drops them shows the light mail, with narrow margins. */
export const layoutStyle = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (min-width: 520px) {
.outside { padding: 40px 24px 48px !important }
.card { padding: 40px !important }
}
@media (max-width: 519px) {
.wide { width: 100% !important }
}
@media (prefers-color-scheme: dark) {
.canvas { background-color: ${dark.canvas} !important }
.card { background-color: ${dark.surface} !important; border-color: ${dark.line} !important }
.code { background-color: ${dark.sunken} !important; border-color: ${dark.line} !important }
.rule { border-color: ${dark.line} !important }
.ink { color: ${dark.ink} !important }
.muted { color: ${dark.muted} !important }
.accent { color: ${dark.accent} !important }
.button { background-color: ${dark.accent} !important }
.button-text { color: ${dark.onAccent} !important }
.bar { background-color: ${dark.onAccent} !important }
}
`

/** A cell of the logo, in pixels; without a colour it is transparent. */
function cell(width: number, height: number, color = ''): string {
  const paintOf = color && `;background-color:${color}`
  const name = color && ' class="bar"'
  return `<td${name} width="${width}" height="${height}" style="font-size:0;line-height:0;height:${height}px${paintOf}"></td>`
}

const across = `<table role="presentation" align="center" cellpadding="0" cellspacing="0">
<tr>${cell(5, 5)}${cell(5, 5, light.onAccent)}${cell(5, 5)}</tr>
<tr>${cell(5, 5, light.onAccent)}${cell(5, 5, light.onAccent)}${cell(5, 5, light.onAccent)}</tr>
<tr>${cell(5, 5)}${cell(5, 5, light.onAccent)}${cell(5, 5)}</tr>
</table>`
const below = `<table role="presentation" align="center" cellpadding="0" cellspacing="0" style="margin-top:2px;opacity:0.6">
<tr>${cell(17, 3, light.onAccent)}</tr>
</table>`

/**
 * The logo with the name of the pharmacy that the mail is about, or else of the product. Drawn with table cells, because
 * mail programs block images at first.
 * @param name as HTML
 */
export const logo = (
  name = 'Bancone',
) => `<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td class="button" aria-hidden="true" width="28" height="28" align="center" valign="middle" bgcolor="${light.accent}" style="width:28px;height:28px;background-color:${light.accent};border-radius:7px">${across}${below}</td>
<td class="ink" style="padding-left:10px;${FONT};font-size:17px;line-height:28px;font-weight:600;letter-spacing:-0.2px;color:${light.ink}">${name}</td>
</tr></table>`

/** A vertical gap that Outlook keeps too; it ignores the margins of tables. */
export function spacer(height: number): string {
  return `<div style="height:${height}px;font-size:${height}px;line-height:${height}px">&nbsp;</div>`
}
