import {
	and,
	ANYTHING,
	not,
	NOTHING,
	ofLength,
	or,
	parse,
	then,
	type Expression,
} from './expression';

/** The national numbers of a calling code, by where libphonenumber looks for their zones. */
export interface NumberPlan {
	readonly callingCode: string;
	/** Those that have the zones of their area. */
	readonly ofArea: Expression;
	/** Those that have the zones of the whole country. */
	readonly ofCountry: Expression;
	/** What may be written before a national number, as a regular expression. */
	readonly prefix?: string;
	/** What replaces the prefix if its last group matches, e.g. `9$1`. */
	readonly transform?: string;
}

/** Types of numbers that are of no area. */
const NOT_OF_AREA = [
	'premiumRate',
	'tollFree',
	'sharedCost',
	'voip',
	'personalNumber',
	'pager',
	'uan',
	'voicemail',
];

/** Calling codes whose mobile numbers are of an area: `GEO_MOBILE_COUNTRIES` in PhoneNumberUtil.java. */
const MOBILE_OF_AREA: readonly (string | undefined)[] = ['52', '54', '55', '62', '86'];

interface Element {
	readonly attributes: Readonly<Record<string, string | undefined>>;
	readonly text: string;
}

/** The number plans of PhoneNumberMetadata.xml. */
export function readNumberPlans(xml: string): NumberPlan[] {
	const territories = elements(xml.replaceAll(/<!--[^]*?-->/g, ''), 'territory');
	const codes = new Map<string, Element[]>();
	for (const territory of territories) {
		const { countryCode = '', mainCountryForCode } = territory.attributes;
		const others = codes.get(countryCode) ?? [];
		codes.set(
			countryCode,
			mainCountryForCode === 'true' ? [territory, ...others] : [...others, territory],
		);
	}
	return [...codes].map(([callingCode, regions]) => planOf(callingCode, regions));
}

/** Of several regions, the first counts that has a number's leading digits, or that knows its type. */
function planOf(callingCode: string, regions: readonly Element[]): NumberPlan {
	let [ofArea, ofCountry, rest] = [NOTHING, NOTHING, ANYTHING];
	for (const region of regions) {
		const types = typesOf(region, MOBILE_OF_AREA.includes(callingCode));
		const { leadingDigits } = region.attributes;
		const chosen =
			leadingDigits === undefined
				? or(types.ofArea, types.ofCountry)
				: then(parse(withoutSpace(leadingDigits)), ANYTHING);
		ofArea = or(ofArea, and(rest, chosen, types.ofArea));
		ofCountry = or(ofCountry, and(rest, chosen, types.ofCountry));
		rest = and(rest, not(chosen));
	}
	const main = regions[0]?.attributes;
	const prefix = main?.nationalPrefixForParsing ?? main?.nationalPrefix;
	const transform = main?.nationalPrefixTransformRule;
	return {
		callingCode,
		ofArea,
		ofCountry,
		...(prefix !== undefined && { prefix: withoutSpace(prefix) }),
		...(transform !== undefined && { transform }),
	};
}

/** As `getNumberTypeHelper` and `isNumberGeographical` in PhoneNumberUtil.java find them. */
function typesOf({ text }: Element, isMobileOfArea: boolean) {
	const general = numbersOf(text, 'generalDesc', false);
	const fixed = numbersOf(text, 'fixedLine');
	const isSame = patternOf(text, 'fixedLine') === patternOf(text, 'mobile');
	const mobile = isSame ? NOTHING : numbersOf(text, 'mobile');
	const special = or(...NOT_OF_AREA.map((type) => numbersOf(text, type)));
	const ofArea = and(general, not(special), isMobileOfArea ? or(fixed, mobile) : fixed);
	return { ofArea, ofCountry: and(general, or(special, mobile), not(ofArea)) };
}

/** The numbers of a type, by pattern and length. */
function numbersOf(territory: string, type: string, hasLengths = true): Expression {
	const pattern = patternOf(territory, type);
	if (pattern === undefined) return NOTHING;
	const [lengths] = elements(elements(territory, type)[0]?.text ?? '', 'possibleLengths');
	const national = lengths?.attributes.national;
	if (hasLengths && national === undefined) throw new Error(`no lengths of ${pattern}`);
	return national === undefined
		? parse(pattern)
		: and(parse(pattern), or(...lengthsIn(national).map(ofLength)));
}

/** `6,[8-10]` */
const lengthsIn = (text: string): number[] =>
	text.split(/,(?![^[]*\])/).flatMap((part) => {
		const [from = 0, to = from] = (part.match(/\d+/g) ?? []).map(Number);
		return Array.from({ length: to - from + 1 }, (_, index) => from + index);
	});

function patternOf(territory: string, type: string): string | undefined {
	const [pattern] = elements(elements(territory, type)[0]?.text ?? '', 'nationalNumberPattern');
	return pattern && withoutSpace(pattern.text);
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

/** The elements of a name, which do not hold each other. */
const elements = (xml: string, name: string): Element[] =>
	[...xml.matchAll(new RegExp(`<${name}(?=[\\s/>])([^>]*?)(?:/>|>([^]*?)</${name}>)`, 'g'))].map(
		([, attributes = '', text = '']) => ({
			attributes: Object.fromEntries(
				[...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value]) => [key, value]),
			),
			text,
		}),
	);
