import pg from 'pg'

/** Frequent ones first: their counts are like those in a telephone book of Venice. */
export const surnames = (
  'Rossi|Bianchi|Ferrari|Russo|Esposito|Colombo|Romano|Ricci|Marino|Greco|Bruno|Gallo|Conti|De Luca|' +
  'Mancini|Costa|Giordano|Rizzo|Lombardi|Moretti|Barbieri|Fontana|Santoro|Mariani|Rinaldi|Caruso|' +
  'Ferrara|Galli|Martini|Leone|Longo|Gentile|Martinelli|Vitale|Lombardo|Serra|Coppola|De Santis|' +
  'D’Angelo|Marchetti|Parisi|Villa|Conte|Ferraro|Ferri|Fabbri|Bianco|Marini|Grasso|Valentini|Messina|' +
  'Sala|De Angelis|Gatti|Pellegrini|Palumbo|Sanna|Farina|Rizzi|Monti|Cattaneo|Morelli|Amato|Silvestri|' +
  'Mazza|Testa|Grassi|Pellegrino|Carbone|Giuliani|Benedetti|Barone|Rossetti|Caputo|Montanari|Guerra|' +
  'Palmieri|Bernardi|Martino|Fiore|De Rosa|Ferretti|Bellini|Basile|Riva|Donati|Piras|Vitali|Battaglia|' +
  'Sartori|Neri|Costantini|Milani|Pagano|Ruggiero|Sorrentino|D’Amico|Orlando|Damico|Negri|Zanella|' +
  'Scarpa|Vianello|Zennaro|Busetto|Boscolo|Tiozzo|Pavan|Trevisan|Furlan|Zorzi|Zanetti|Dal Corso|' +
  'Nicolò|Calò|Pistorò|Müller|Kovač|Hoxha'
).split('|')
const firstNames = (
  'Maria Giuseppe Anna Antonio Giulia Marco Francesca Andrea Paola Luca Laura Giovanni Elena Roberto ' +
  'Chiara Stefano Sara Paolo Martina Mario Silvia Francesco Alessandra Carlo Valentina Davide Federica ' +
  'Matteo Monica Fabio Cristina Simone Niccolò Lucia Pietro Teresa Enrico Rosa Bruno Giorgia Alberto ' +
  'Beatrice Michele Caterina Riccardo Angela Daniele Irene Massimo Noemi Tommaso Desirée José Zoë'
).split(' ')
export const streets = (
  'Roma|Garibaldi|Mazzini|Verdi|Dante Alighieri|San Marco|della Libertà|Piave|Cavour|Marconi|IV Novembre|' +
  'Trento|Battisti|Matteotti|Gramsci|Europa|XX Settembre|Manzoni|Leopardi|Vittorio Veneto|Galileo Galilei|' +
  'Monte Grappa|delle Industrie|Rialto|Santa Maria Formosa|dei Frari|Cannaregio|Castello|San Polo|Giudecca|' +
  'Forte Marghera|Miranese|Torino|Bissuola|Carducci|Aleardi|Pascoli|D’Annunzio|della Pace|Colombo'
).split('|')
const towns = (
  '30121 Venezia VE|30171 Mestre VE|30172 Mestre VE|30174 Zelarino VE|30175 Marghera VE|30015 Chioggia VE|' +
  '31100 Treviso TV|35121 Padova PD|30027 San Donà di Piave VE|30016 Jesolo VE|30035 Mirano VE|30038 Spinea VE'
).split('|')
export const products = (
  'Tachipirina 1000|Tachipirina 500|Oki bustine|Aspirina C|Moment 200|Brufen 600|Augmentin|Gaviscon Advance|' +
  'Enterogermina 4 miliardi|Voltaren Emulgel 2%|Lasonil gel|Buscopan|Imodium|Maalox|Zerinol|Vivin C|Bisolvon|' +
  'Fluimucil 600|Froben gola|Benagol|Supradyn|Polase|MG.K VIS|Multicentrum|Bepanthenol|Bionike Defence|' +
  'La Roche-Posay Cicaplast|Avène latte solare|Rilastil|Eucerin Urea|Mellin 1|Aptamil 2|Humana|Pannolini Pampers|' +
  'Termometro digitale|Misuratore di pressione Omron|Aerosol|Cardioaspirin|Eutirox 75|Lansoprazolo 30|' +
  'Omeprazolo 20|Pantoprazolo 40|Ramipril 5|Bisoprololo 2,5|Atorvastatina 20|Metformina 500|Levotiroxina|' +
  'Dibase gocce|Xanax 0,25|Lexotan gocce|Ventolin|Foster spray|Clenil|Aircort|Rinazina|Otosan|Rinowash|' +
  'Amuchina gel|Mascherine FFP2|Cerotti Hansaplast|Garze sterili|Betadine|Connettivina|Gentalyn Beta|Travocort|' +
  'Canesten|Gyno-Canesten|Meclon|Tantum Rosa|Proctolyn|Preparazione H|Daflon 500|Arnica gel|Tisana finocchio|' +
  'Melatonina 1 mg|Valeriana|Propoli spray|Magnesio supremo|Lattoferrina|Collirio Iridina|Systane gocce|Thealoz'
).split('|')
const openings = (
  'Buongiorno, avrei bisogno di|Buonasera, vorrei|Salve, potete mettermi da parte|Ciao, mi serve|' +
  'Vorrei ordinare|Ho la ricetta per|Per mia mamma:|Avete|Posso prenotare|Buongiorno! Mi servirebbe'
).split('|')
const closings = (
  'grazie|grazie mille|passo domani mattina|passo nel pomeriggio|me lo consegnate a casa?|entro sera se possibile|' +
  'la ricetta è elettronica|urgente per favore|va bene anche il generico|ne bastano due confezioni'
).split('|')

/** Portions, as copies come in: what the database keeps besides is kept for each. */
const PORTION = 20_000

/**
 * So many orders of one pharmacy over three years, with texts that vary as a real one's do: customers of whom
 * some come often, names and products that are everywhere, and others that are rare.
 */
export async function prepareOrders(
  url: string,
  pharmacyId: string,
  orders: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select setseed(0.42)')
    await client.query(`create function pg_temp.pick(words text[], slope float8) returns text
      language sql volatile as
      'select words[1 + floor(cardinality(words) * power(random(), slope))::int]'`)
    await client.query(
      `create temp table customers as
       select n, pg_temp.pick($2, 1) || ' ' || pg_temp.pick($1, 2.2) as name,
         case
           when random() < 0.1 then '041 ' || (2000000 + floor(random() * 7999999))::int
           else '3' || (20 + floor(random() * 79))::int || (1000000 + floor(random() * 8999999))::int
         end as phone,
         'Via ' || pg_temp.pick($3, 1.5) || ' ' || (1 + floor(random() * 180))::int || ', '
           || pg_temp.pick($4, 1.5) as address
       from generate_series(1, $5::int) n`,
      [surnames, firstNames, streets, towns, Math.ceil(orders / 7)],
    )
    await client.query('create unique index on customers (n)')
    await client.query('analyze customers')
    // Sorted in one by one they would take many minutes.
    const { rows } = await client.query<{ index: string }>(
      "select pg_get_indexdef('order_search__keys'::regclass) as index",
    )
    await client.query('drop index order_search__keys')
    for (let from = 1; from <= orders; from += PORTION) {
      const to = Math.min(orders, from + PORTION - 1)
      await client.query(insertion, [
        pharmacyId,
        from,
        to,
        orders,
        products,
        openings,
        closings,
        Math.ceil(orders / 7),
      ])
    }
    await client.query("set maintenance_work_mem = '512MB'")
    await client.query(rows[0]?.index ?? '')
    await client.query('alter index order_search__keys alter column 1 set statistics 0')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const insertion = `
  insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name,
    customer_phone, order_details, address, status, airtable_created, airtable_last, seen_at)
  select $1, 'recSearch' || numbered.n, numbered.n::text, name,
    case floor(random() * 4)
      when 0 then '+39 ' || substr(phone, 1, 3) || ' ' || substr(phone, 4)
      when 1 then '39' || phone
      when 2 then substr(phone, 1, 3) || ' ' || substr(phone, 4, 3) || ' ' || substr(phone, 7)
      else phone
    end,
    pg_temp.pick($6, 1) || ' ' || pg_temp.pick($5, 1.6)
      || case when random() < 0.4 then ' e ' || pg_temp.pick($5, 1.3) else '' end
      || ', ' || pg_temp.pick($7, 1),
    address,
    (array['In attesa', 'Confermato', 'Prenotato in Giornata', 'Prenotato Domani', 'Annullato'])
      [case when $4 - numbered.n < 60 then 1 else 1 + floor(random() * 5)::int end],
    made, made + interval '2 hours', made
  from (
    select n, 1 + floor($8 * power(random(), 1.7))::int customer,
      now() - ($4 - n) * interval '3 years' / $4 as made
    from generate_series($2::int, $3::int) n
  ) numbered join customers on customers.n = customer
  order by numbered.n`
