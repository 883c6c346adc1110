import { escapeHtml } from '../html.ts'

/**
 * A page to be printed, with what a person needs who has nothing else but the place of the back-ups.
 *
 * @param place the place as in BACKUP_TO
 */
export function recoverySheet(keyId: string, key: string, place: string): string {
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scheda di recupero ${keyId}</title>
<style>
  body { font: 12pt/1.5 system-ui, sans-serif; color: #111; background: #fff; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 18pt; margin: 0 0 .25rem }
  h2 { font-size: 13pt; margin: 1.5rem 0 .25rem }
  code { font: 11pt/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
  .key { border: 1.5pt solid #111; padding: 1rem; margin: 1rem 0; font-size: 14pt }
  .key code { font-size: 14pt; letter-spacing: .04em }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
  dd { margin: 0; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>Scheda di recupero delle copie di sicurezza</h1>
<p>Senza questa chiave nessuno può leggere le copie di sicurezza di Bancone, nemmeno chi le ha fatte. Stampa la scheda, conservala lontano dal server e cancella il file.</p>
<div class="key"><code>${key}</code></div>
<dl>
<dt>Codice della chiave</dt><dd><code>${keyId}</code></dd>
<dt>Dove sono le copie</dt><dd><code>${escapeHtml(place)}</code></dd>
</dl>
<h2>Per ripristinare su una macchina nuova</h2>
<ol>
<li>Installa Node.js e lo stesso programma Bancone (stessa versione o una più nuova, con la stessa versione principale di PostgreSQL).</li>
<li>Scrivi la chiave in un file, per esempio <code>/root/chiave</code>, e imposta <code>BACKUP_KEY_FILE=/root/chiave</code>. Maiuscole, spazi e trattini non contano.</li>
<li>Se le copie sono in un bucket S3, imposta <code>S3_ENDPOINT</code>, <code>S3_REGION</code>, <code>S3_ACCESS_KEY_ID</code> e <code>S3_SECRET_ACCESS_KEY</code>.</li>
<li><code>npm run restore -- --from "${escapeHtml(place)}" --into /cartella/nuova</code><br>
Per tornare a un momento preciso (ora italiana) aggiungi <code>--until "2026-11-22 10:00"</code>.</li>
<li>Avvia il server con <code>DATA_DIR=/cartella/nuova</code> e le altre impostazioni di prima (<code>PUBLIC_URL</code>, <code>AIRTABLE_TOKEN</code>, <code>SMTP_URL</code> e così via: non sono nelle copie). Gli accessi sono quelli di prima.</li>
</ol>
<p>Il ripristino vuole una cartella vuota e non tocca quella vecchia.</p>
</body>
</html>
`
}
