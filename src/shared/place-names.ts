/** Each group holds the names of one place or word, folded, of which a shop uses one and a student types another. */
const SAME_NAMES: readonly (readonly string[])[] = [
  ["ahmedabad", "amdavad"],
  ["allahabad", "prayagraj"],
  ["bangalore", "bengaluru"],
  ["baroda", "vadodara"],
  ["belagavi", "belgaum"],
  ["benares", "banaras", "varanasi"],
  ["bhubaneshwar", "bhubaneswar"],
  ["bombay", "mumbai"],
  ["calcutta", "kolkata"],
  ["calicut", "kozhikode"],
  ["cochin", "kochi"],
  ["dharwad", "dharwar"],
  ["gurgaon", "gurugram"],
  ["hubballi", "hubli"],
  ["kharagpur", "kgp"],
  ["madras", "chennai"],
  ["mangalore", "mangaluru"],
  ["mysore", "mysuru"],
  ["pondicherry", "puducherry"],
  ["poona", "pune"],
  ["shimoga", "shivamogga"],
  ["thiruvananthapuram", "trivandrum"],
  ["thrissur", "trichur"],
  ["tiruchirappalli", "trichy"],
  ["visakhapatnam", "vizag"],
];

/** Colleges, folded, and what everybody calls them. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  "aligarh muslim university": "AMU",
  "banaras hindu university": "BHU",
  "birla institute of technology and science": "BITS",
  "college of engineering pune": "COEP",
  "delhi university": "DU",
  "guru nanak dev university": "GNDU",
  "indian institute of management": "IIM",
  "indian institute of science": "IISc",
  "indian institute of technology": "IIT",
  "jadavpur university": "JU",
  "jawaharlal nehru university": "JNU",
  "lovely professional university": "LPU",
  "national institute of technology": "NIT",
  "savitribai phule pune university": "SPPU",
  "university of delhi": "DU",
  "university of hyderabad": "UoH",
  "vellore institute of technology": "VIT",
};

/** The short name of a college, such as LPU; null if it has none, or already shows it. */
export function shortNameOf(college: string): string | null {
  const folded = foldForSearch(college);
  const name = Object.keys(SHORT_NAMES).find((long) => holds(folded, long));
  const short = name && SHORT_NAMES[name];
  return short && !holds(folded, foldForSearch(short)) ? short : null;
}

/** The other names, folded, of all places and colleges in a folded text. */
export function otherNames(folded: string): string[] {
  const places = SAME_NAMES.filter((names) => names.some((name) => holds(folded, name)));
  const colleges = Object.entries(SHORT_NAMES).map(([long, short]) => [long, foldForSearch(short)] as const);
  const same = colleges.filter((names) => names.some((name) => holds(folded, name)));
  return [...places, ...same].flat().filter((name) => !holds(folded, name));
}

/** Whether the text contains these words, not only as a part of others. */
function holds(folded: string, words: string): boolean {
  const text = folded.replaceAll("&", " and ").replace(/[^\p{L}\p{N}]+/gu, " ");
  return ` ${text} `.includes(` ${words} `);
}

/** Lower case without accents, so that "Nandyal" finds "Nāndyāl". */
export function foldForSearch(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
}
