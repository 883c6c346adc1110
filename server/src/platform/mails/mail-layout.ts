import { escapeHtml } from '../html.ts'
import { inlineStyles, layoutStyle, logo, spacer } from './mail-style.ts'

type Link = { label: string; link: string }

/** The content of a mail, as plain text; the layout is common to all. */
export type MailContent = {
  subject: string
  /** The name of the pharmacy that the mail is about, shown at its head; undefined for that of the product. */
  pharmacy?: string
  /** The preview text that a list of mails shows after the subject. */
  preview: string
  title: string
  paragraphs: string[]
  /** Lines below the paragraphs, each of which leads somewhere. */
  links?: Link[]
  /** A picture that the mail contains, below the paragraphs; `alt` says what it shows. The plain text has `alt` alone. */
  picture?: { id: string; alt: string; width: number; height: number }
  button?: Link
  code?: { label: string; code: string }
  /** Smaller text below: the lifetime of the link, and advice for a mail that was not requested. */
  notes?: string[]
}

const SENDER = 'Bancone, il banco della farmacia nel browser.'
const NO_REPLY = 'Questa email è automatica: non serve rispondere.'
const BARE_LINK = 'Se il pulsante non funziona, copia questo indirizzo nel browser:'

/** The plain-text part: every link and code on a line of its own. */
export function textOf({
  title,
  paragraphs,
  links = [],
  picture,
  button,
  code,
  notes = [],
}: MailContent): string {
  return [
    title,
    ...paragraphs,
    ...links.map(textOfLink),
    ...(picture ? [picture.alt] : []),
    ...(button ? [textOfLink(button)] : []),
    ...(code ? [`${code.label}\n${code.code}`] : []),
    ...notes,
    `${SENDER}\n${NO_REPLY}\n`,
  ].join('\n\n')
}

const textOfLink = ({ label, link }: Link) => `${label}:\n${link}`

/**
 * The HTML part. Tables and inline styles, because Outlook ignores others; what only other programs support
 * (dark colours, wider margins) is in the head. It loads nothing.
 */
export function htmlOf(content: MailContent): string {
  const {
    subject,
    pharmacy,
    preview,
    title,
    paragraphs,
    links = [],
    picture,
    button,
    code,
    notes = [],
  } = content
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(subject)}</title>
<style>${layoutStyle}</style>
</head>
<body class="canvas" style="margin:0;padding:0;${inlineStyles.canvas}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" style="${inlineStyles.canvas}">
<tr><td class="outside" align="center" style="padding:24px 12px 32px">
<!--[if mso]><table role="presentation" width="560" align="center"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 4px 20px">${logo(pharmacy && escapeHtml(pharmacy))}</td></tr>
<tr><td class="card" style="${inlineStyles.card}">
<h1 class="ink" style="${inlineStyles.title}">${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p class="ink" style="${inlineStyles.paragraph}">${escapeHtml(text)}</p>`).join('\n')}
${links.map(linkOf).join('\n')}
${picture ? pictureOf(picture) : ''}
${button ? buttonOf(button) : ''}
${code ? codeOf(code) : ''}
${notes.map((text) => `<p class="muted" style="${inlineStyles.note}">${escapeHtml(text)}</p>`).join('\n')}
${button ? bareLink(button.link, notes.length > 0) : ''}
</td></tr>
<tr><td class="muted" style="${inlineStyles.footer}">${SENDER}<br>${NO_REPLY}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

function linkOf({ label, link }: Link): string {
  return `<p style="${inlineStyles.paragraph}"><a class="accent" href="${escapeHtml(link)}" target="_blank" style="${inlineStyles.namedLink}">${escapeHtml(label)}</a></p>`
}

function pictureOf({ id, alt, width, height }: NonNullable<MailContent['picture']>): string {
  return `<img src="cid:${id}" width="${width}" height="${height}" alt="" style="${inlineStyles.picture}">
<p class="muted" style="${inlineStyles.note}">${escapeHtml(alt)}</p>`
}

function buttonOf({ label, link }: Link): string {
  return `${spacer(12)}
<table role="presentation" class="wide" cellpadding="0" cellspacing="0">
<tr><td class="button" align="center" bgcolor="${inlineStyles.accent}" style="${inlineStyles.button}"><a class="button-text" href="${escapeHtml(link)}" target="_blank" style="${inlineStyles.buttonText}">${escapeHtml(label)}</a></td></tr>
</table>
${spacer(28)}`
}

function codeOf({ label, code }: { label: string; code: string }): string {
  return `<p class="ink" style="${inlineStyles.paragraph}">${escapeHtml(label)}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
<tr><td class="code" align="center" style="${inlineStyles.codeBox}"><span class="ink" style="${inlineStyles.code}">${escapeHtml(code)}</span></td></tr>
</table>
${spacer(28)}`
}

function bareLink(link: string, isBelowNotes: boolean): string {
  return `${isBelowNotes ? spacer(16) : ''}<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
<tr><td class="rule muted" style="${inlineStyles.bareLink}">${BARE_LINK}<br><a class="accent" href="${escapeHtml(link)}" target="_blank" style="${inlineStyles.link}">${escapeHtml(link)}</a></td></tr>
</table>`
}
