import { type BackupProblem, backupProblemTexts } from '@bancone/contract/backups'
import { paths } from '@bancone/contract/pages'
import { htmlOf, type MailContent, textOf } from '../../platform/mails/mail-layout.ts'
import type { Mail } from '../../ports/mailer.ts'

/** The mail to an administrator about what is not as it should be. */
export function backupMail(
  to: string,
  problems: readonly BackupProblem[],
  publicUrl: string,
): Mail {
  const content: MailContent = {
    subject: 'Copie di sicurezza: serve il tuo intervento',
    preview: problems.map((problem) => backupProblemTexts[problem]).join(' '),
    title: 'Le copie di sicurezza non sono a posto',
    paragraphs: problems.map((problem) => backupProblemTexts[problem]),
    button: { label: 'Apri le copie di sicurezza', link: publicUrl + paths.adminSettings },
    notes: [
      'Ricevi questa email perché amministri la piattaforma. Finché il problema resta, arriva una volta al giorno.',
    ],
  }
  return { to, subject: content.subject, text: textOf(content), html: htmlOf(content) }
}
