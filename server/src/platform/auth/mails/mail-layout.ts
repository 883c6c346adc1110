import { escaped } from '../../html.ts'
import { gap, layoutStyle, mark, paint } from './mail-style.ts'

/** What a mail says; how it looks is the same for all. Plain text everywhere. */
export type MailContent = {
  subject: string
  /** What a list of mails shows after the subject. */
  preview: string
  title: string
  paragraphs: string[]
  button?: { label: string; link: string }
  code?: { label: string; code: string }
  /** Below, smaller: how long it is valid, and what to do if one did not ask for it. */
  notes: string[]
}

const SENDER = 'Bancone, il banco della farmacia nel browser.'
const NO_REPLY = 'Questa email è automatica: non serve rispondere.'
const BARE_LINK = 'Se il pulsante non funziona, copia questo indirizzo nel browser:'

/** The part for those who read without HTML: every link and code on a line by itself. */
export function textOf({ title, paragraphs, button, code, notes }: MailContent): string {
  return [
    title,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.link}`] : []),
    ...(code ? [`${code.label}\n${code.code}`] : []),
    ...notes,
    `${SENDER}\n${NO_REPLY}\n`,
  ].join('\n\n')
}

/**
 * Tables and inline styles, since that is what Outlook reads; what only others read (dark colours, wider
 * margins) is in the head. Nothing is fetched: no image, no font.
 */
export function htmlOf(content: MailContent): string {
  const { subject, preview, title, paragraphs, button, code, notes } = content
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escaped(subject)}</title>
<style>${layoutStyle}</style>
</head>
<body class="canvas" style="margin:0;padding:0;${paint.canvas}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(preview)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" style="${paint.canvas}">
<tr><td class="outside" align="center" style="padding:24px 12px 32px">
<!--[if mso]><table role="presentation" width="560" align="center"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 4px 20px">${mark}</td></tr>
<tr><td class="card" style="${paint.card}">
<h1 class="ink" style="${paint.title}">${escaped(title)}</h1>
${paragraphs.map((text) => `<p class="ink" style="${paint.paragraph}">${escaped(text)}</p>`).join('\n')}
${button ? buttonOf(button) : ''}
${code ? codeOf(code) : ''}
${notes.map((text) => `<p class="muted" style="${paint.note}">${escaped(text)}</p>`).join('\n')}
${button ? bareLink(button.link, notes.length > 0) : ''}
</td></tr>
<tr><td class="muted" style="${paint.footer}">${SENDER}<br>${NO_REPLY}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

function buttonOf({ label, link }: { label: string; link: string }): string {
  return `${gap(12)}
<table role="presentation" class="wide" cellpadding="0" cellspacing="0">
<tr><td class="button" align="center" bgcolor="${paint.accent}" style="${paint.button}"><a class="button-text" href="${escaped(link)}" target="_blank" style="${paint.buttonText}">${escaped(label)}</a></td></tr>
</table>
${gap(28)}`
}

function codeOf({ label, code }: { label: string; code: string }): string {
  return `<p class="ink" style="${paint.paragraph}">${escaped(label)}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
<tr><td class="code" align="center" style="${paint.codeBox}"><span class="ink" style="${paint.code}">${escaped(code)}</span></td></tr>
</table>
${gap(28)}`
}

function bareLink(link: string, isBelowNotes: boolean): string {
  return `${isBelowNotes ? gap(16) : ''}<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
<tr><td class="rule muted" style="${paint.bareLink}">${BARE_LINK}<br><a class="accent" href="${escaped(link)}" target="_blank" style="${paint.link}">${escaped(link)}</a></td></tr>
</table>`
}
