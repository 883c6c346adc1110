import type { ReactNode } from 'react'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-9 flex flex-col gap-3">
      <h2 className="text-lg font-medium tracking-tight">{title}</h2>
      {children}
    </section>
  )
}

function List({ children }: { children: ReactNode }) {
  return <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-muted">{children}</ul>
}

export function Privacy() {
  useDocumentTitle('Informativa sulla privacy')
  return (
    <article className="mx-auto w-full max-w-2xl px-4 py-10 leading-relaxed md:py-14">
      <h1 className="text-3xl font-medium tracking-tight">Informativa sulla privacy</h1>
      <p className="mt-3 text-muted">
        Come vengono trattati i dati personali in Bancone, ai sensi degli articoli 13 e 14 del
        Regolamento (UE) 2016/679 (GDPR). Ultimo aggiornamento: novembre 2026.
      </p>

      <Section title="In breve">
        <p>
          Bancone è lo strumento con cui una farmacia riceve e gestisce gli ordini dei propri
          clienti. I dati degli ordini appartengono al rapporto tra il cliente e la sua farmacia:
          noi li custodiamo per conto della farmacia, non li vendiamo, non li usiamo per pubblicità
          e non profiliamo nessuno.
        </p>
      </Section>

      <Section title="Chi è responsabile dei dati">
        <p>
          Per i dati dei clienti il <strong>titolare del trattamento</strong> è la farmacia che ha
          ricevuto l'ordine. Chi gestisce la piattaforma è{' '}
          <strong>responsabile del trattamento</strong> (articolo 28 GDPR): agisce solo su
          istruzioni della farmacia, sulla base di un accordo scritto, e vincola alla riservatezza
          chi vi lavora.
        </p>
        <p>
          Per i dati di accesso del personale della farmacia (email, sessioni, registri di
          sicurezza) chi gestisce la piattaforma li tratta per fornire il servizio e proteggerlo.
        </p>
      </Section>

      <Section title="Quali dati trattiamo">
        <List>
          <li>
            <strong>Clienti della farmacia</strong>: nome, numero di telefono, indirizzo, testo del
            prodotto richiesto, eventuale immagine allegata, stato e date dell'ordine.
          </li>
          <li>
            <strong>Personale della farmacia</strong>: indirizzo email, password (conservata solo in
            forma cifrata e non reversibile), momenti di accesso.
          </li>
          <li>
            <strong>Dati tecnici</strong>: registri del server con data, operazione ed esito, e un
            registro degli accessi del personale con l'indirizzo di rete, usati per il funzionamento
            e la sicurezza.
          </li>
        </List>
        <p>
          Il prodotto richiesto o un'immagine, come una ricetta, possono rivelare informazioni sulla
          salute. Sono dati particolari (articolo 9 GDPR): per questo non compaiono mai nelle
          notifiche, negli indirizzi o nei titoli delle pagine, e li vede solo la farmacia a cui
          l'ordine è destinato.
        </p>
      </Section>

      <Section title="Perché, e su quale base">
        <List>
          <li>
            Preparare e consegnare ciò che il cliente ha chiesto: esecuzione di un contratto o di
            misure precontrattuali (articolo 6, paragrafo 1, lettera b).
          </li>
          <li>
            Trattare i dati sulla salute contenuti nell'ordine: finalità di assistenza sanitaria da
            parte di professionisti tenuti al segreto, oppure il consenso del cliente (articolo 9,
            paragrafo 2, lettere h e a), secondo quanto stabilito dalla farmacia.
          </li>
          <li>
            Adempiere agli obblighi di legge della farmacia (articolo 6, paragrafo 1, lettera c).
          </li>
          <li>
            Proteggere il servizio da abusi e guasti: legittimo interesse (articolo 6, paragrafo 1,
            lettera f).
          </li>
        </List>
      </Section>

      <Section title="Dove stanno i dati e per quanto tempo">
        <p>
          Gli ordini sono conservati nel database della piattaforma e, se la farmacia lo ha scelto,
          nel suo archivio Airtable, dal quale la piattaforma li legge. Le comunicazioni sono
          cifrate, gli accessi sono personali e ogni farmacia vede soltanto i propri ordini.
        </p>
        <p>
          Gli ordini si conservano per il tempo stabilito dalla farmacia e comunque non oltre quanto
          serve alla gestione dell'ordine e agli obblighi di legge; poi vengono cancellati. Le
          sessioni scadono da sole e terminano con il logout. Il registro degli accessi si conserva
          sei mesi, gli altri registri tecnici per un periodo limitato.
        </p>
      </Section>

      <Section title="A chi possono essere comunicati">
        <p>
          Alla farmacia destinataria e ai fornitori tecnici che servono a far funzionare il servizio
          (hosting, archivio degli ordini, immagini, posta elettronica), nominati a loro volta
          responsabili. Se un fornitore tratta dati fuori dallo Spazio economico europeo, il
          trasferimento avviene con le garanzie degli articoli 44 e seguenti del GDPR. I dati non
          sono diffusi e non servono a decisioni automatizzate.
        </p>
      </Section>

      <Section title="I tuoi diritti">
        <p>
          Puoi chiedere di accedere ai tuoi dati, correggerli, cancellarli, limitarne il
          trattamento, riceverli in un formato leggibile o opporti al trattamento (articoli 15–22
          GDPR), e revocare un consenso in qualsiasi momento. Se sei cliente di una farmacia
          rivolgiti alla farmacia a cui hai fatto l'ordine: la piattaforma la aiuta a risponderti.
          Puoi anche presentare reclamo al{' '}
          <a
            href="https://www.garanteprivacy.it"
            rel="noopener noreferrer"
            className="font-medium text-accent underline underline-offset-4"
          >
            Garante per la protezione dei dati personali
          </a>
          .
        </p>
      </Section>

      <Section title="Cookie e dati nel browser">
        <p>
          Bancone non usa cookie di profilazione né strumenti di tracciamento di terzi. Nel browser
          del personale viene conservato solo ciò che è tecnicamente necessario, come la sessione di
          accesso e le preferenze della pagina: per questo non serve un consenso. Con il logout la
          sessione viene rimossa.
        </p>
      </Section>
    </article>
  )
}
