import type { BackupProblem } from '@bancone/contract/backups'
import { paths } from '@bancone/contract/pages'
import { htmlOf, type MailContent, textOf } from '../../platform/mails/mail-layout.ts'
import type { Mail } from '../../ports/mailer.ts'

const sentences: Record<BackupProblem, string> = {
  not_configured: 'Le copie di sicurezza non sono configurate.',
  key_unusable: 'La chiave delle copie di sicurezza manca o non si può leggere.',
  sheet_unconfirmed: 'La scheda di recupero della chiave non è stata ancora confermata.',
  no_backup: 'Non c’è ancora nessuna copia di sicurezza riuscita.',
  backup_old: 'L’ultima copia di sicurezza riuscita ha più di 26 ore.',
  target: 'La cartella o il bucket delle copie di sicurezza rifiuta i dati.',
  damaged: 'Una copia di sicurezza è danneggiata o incompleta.',
  database: 'Il database non si può copiare, o la sua copia non si avvia.',
  files_missing: 'Nella copia di sicurezza mancano dei file.',
  test_failed: 'La prova di ripristino ha trovato dati diversi da quelli copiati.',
  test_old: 'Da più di otto giorni nessuna copia di sicurezza è stata provata.',
  archive: 'Le ultime modifiche non arrivano nell’archivio da alcuni minuti.',
  interrupted: 'Una copia di sicurezza o la sua prova si è interrotta.',
  unexpected:
    'Una copia di sicurezza o la sua prova è fallita: il registro del server dice perché.',
}

/** The mail to an administrator about what is not as it should be. */
export function backupMail(
  to: string,
  problems: readonly BackupProblem[],
  publicUrl: string,
): Mail {
  const content: MailContent = {
    subject: 'Copie di sicurezza: serve il tuo intervento',
    preview: problems.map((problem) => sentences[problem]).join(' '),
    title: 'Le copie di sicurezza non sono a posto',
    paragraphs: problems.map((problem) => sentences[problem]),
    button: { label: 'Apri le copie di sicurezza', link: publicUrl + paths.adminBackups },
    notes: [
      'Ricevi questa email perché amministri la piattaforma. Finché il problema resta, arriva una volta al giorno.',
    ],
  }
  return { to, subject: content.subject, text: textOf(content), html: htmlOf(content) }
}
