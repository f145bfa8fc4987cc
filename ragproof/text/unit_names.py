"""What units, months and multiples of ten are called, in some languages, and what they are worth.

A unit is worth so much of a base; only units of one base are ever compared. Months and years have
a base of their own, since no number of days is a month. Abbreviations of one or two letters are
told from each other by their case: `mW` and `MW`.
"""

# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

_UNITS = (
    ("month", 1, "month months monat monate monaten mois mes mese mesi mês maand maanden"),
    ("month", 1, "месяц месяца месяцев 个月 個月 か月 ヶ月 カ月"),
    ("month", 12, "year years yr yrs jahr jahre jahren an ans année années año años anno anni"),
    ("month", 12, "ano anos jaar год года лет 年 岁 वर्ष साल سنة سنوات عاما"),
    ("month", 120, "decade decades jahrzehnt jahrzehnte décennie décennies década décadas"),
    ("second", 1, "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos"),
    ("second", 1, "secondo secondi секунд секунды 秒"),
    ("second", 0.001, "ms millisecond milliseconds millisekunden"),
    ("second", 60, "min mins minute minutes minuten minuto minutos minuti минут минуты 分 分钟"),
    ("second", 3600, "h hr hrs hour hours stunde stunden heure heures hora horas ora ore"),
    ("second", 3600, "uur час часа часов 小时 小時 時間 घंटे ساعة ساعات"),
    ("second", 86400, "d day days tag tage tagen jour jours día días dia dias giorno giorni"),
    ("second", 86400, "dag dagen день дня дней 天 日間 दिन يوم يوما أيام"),
    ("second", 604800, "week weeks woche wochen semaine semaines semana semanas settimana"),
    ("second", 604800, "settimane weken неделя недели недель 周 週間"),
    ("m", 1, "m metre metres meter meters metern mètre mètres metro metros metri 米 メートル"),
    ("m", 1, "मीटर متر مترا أمتار"),
    ("m", 1000, "km kilometre kilometres kilometer kilometers kilometern kilomètres"),
    ("m", 1000, "kilómetros chilometri quilômetros км 公里 千米 キロメートル"),
    ("m", 1000, "किमी किलोमीटर كم كيلومتر كيلومترا"),
    ("m", 0.01, "cm centimetre centimetres centimeter centimeters zentimeter см 厘米"),
    ("m", 0.001, "mm millimetre millimetres millimeter millimeters мм 毫米"),
    ("m", 1e-6, "µm μm micrometre micrometres micrometer micrometers"),
    ("m", 1e-9, "nm nanometre nanometres nanometer nanometers"),
    ("m", 1609.344, "mi mile miles meile meilen 英里 मील ميل ميلا"),
    ("m", 0.3048, "ft foot feet"),
    ("m", 0.0254, "inch inches zoll"),
    ("m", 0.9144, "yd yard yards"),
    ("m²", 1, "m² m2 sqm 平方米"),
    ("m²", 1e6, "km² km2 平方公里"),
    ("m²", 1e4, "ha hectare hectares hektar"),
    ("m²", 4046.8564224, "acre acres"),
    ("m³", 1, "m³ m3"),
    ("m³", 0.001, "l L litre litres liter liters litro litros"),
    ("m³", 1e-6, "ml mL millilitre millilitres milliliter milliliters"),
    ("m³", 0.003785411784, "gallon gallons gal"),
    ("g", 1, "g gram grams gramm gramme grammes gramos grammi г 克"),
    ("g", 1000, "kg kilogram kilograms kilogramm kilo kilos кг 公斤 千克"),
    ("g", 0.001, "mg milligram milligrams milligramm мг"),
    ("g", 1e-6, "µg μg mcg microgram micrograms mikrogramm"),
    ("g", 1e6, "t tonne tonnes 吨 噸 طن أطنان"),
    ("g", 1e15, "gigaton gigatons gigatonne gigatonnes"),
    ("g", 453.59237, "lb lbs pound pounds 磅"),
    ("g", 28.349523125, "oz ounce ounces"),
    ("m/s", 1, "m/s"),
    ("m/s", 1 / 3.6, "km/h kmh kph"),
    ("m/s", 0.44704, "mph"),
    ("%", 1, "% percent per_cent prozent pour_cent por_ciento per_cento por_cento pct pc"),
    ("%", 1, "procent процент процента процентов प्रतिशत"),
    ("%", 0.1, "‰ promille"),
    ("°C", 1, "°C ℃"),
    ("°F", 1, "°F ℉"),
    ("USD", 1, "$ USD US$ dollar dollars dólares 美元 ドル डॉलर دولار"),
    ("EUR", 1, "€ EUR euro euros 欧元 歐元 ユーロ यूरो يورو"),
    ("GBP", 1, "£ GBP 英镑 英鎊"),
    ("JPY", 1, "¥ JPY yen 円 日元"),
    ("CNY", 1, "CNY RMB yuan 元"),
    ("INR", 1, "₹ INR rupees रुपये"),
    ("CHF", 1, "CHF franken"),
    ("USD", 0.01, "cent cents"),
    ("B", 1, "B byte bytes"),
    ("B", 1e3, "kB KB kilobytes"),
    ("B", 1e6, "MB megabytes megabyte"),
    ("B", 1e9, "GB gigabytes gigabyte"),
    ("B", 1e12, "TB terabytes terabyte"),
    ("B", 1024, "KiB"),
    ("B", 1024**2, "MiB"),
    ("B", 1024**3, "GiB"),
    ("W", 1, "W watt watts"),
    ("W", 1e3, "kW kilowatt kilowatts"),
    ("W", 1e6, "MW megawatt megawatts"),
    ("W", 1e9, "GW gigawatt gigawatts"),
    ("J", 1, "J joule joules"),
    ("J", 1e3, "kJ"),
    ("J", 3.6e6, "kWh"),
    ("J", 3.6e9, "MWh"),
    ("cal", 1, "cal calories"),
    ("cal", 1e3, "kcal"),
    ("Hz", 1, "Hz hertz"),
    ("Hz", 1e3, "kHz"),
    ("Hz", 1e6, "MHz"),
    ("Hz", 1e9, "GHz"),
    ("V", 1, "V volt volts"),
    ("V", 1e3, "kV"),
    ("A", 1, "amp amps ampere amperes"),
    ("A", 0.001, "mA"),
)
UNITS = {name: (base, float(worth)) for base, worth, names in _UNITS for name in names.split()}
"""Name to base and worth; names of two words are joined by `_`."""
SCALES = {
    name: worth
    for worth, names in (
        (1e3, "k thousand tausend mille mil mila тысяч тысячи тыс 千 हज़ार हजार ألف آلاف"),
        (1e4, "万 萬"),
        (1e2, "सौ مئة مائة"),
        (1e5, "lakh lakhs लाख"),
        (1e7, "crore crores करोड़"),
        (1e6, "million millions millionen mio mn millón millones milione milioni milhão milhões"),
        (1e6, "mln миллион миллиона миллионов млн 百万 मिलियन مليون ملايين"),
        (1e8, "亿 億"),
        (1e9, "mld mlrd"),
        (1e9, "billion billions bn milliarde milliarden mrd milliard milliards miliardo miliardi"),
        (1e9, "bilhão bilhões миллиард миллиарда миллиардов млрд बिलियन अरब مليار مليارات بليون"),
        (1e12, "trillion trillions tn billionen 兆"),
    )
    for name in names.split()
}
_MONTHS = (
    "january jan januar jänner janvier enero janeiro gennaio января जनवरी يناير",
    "february feb februar février febrero fevereiro febbraio февраля फरवरी फ़रवरी فبراير شباط",
    "march mar märz mars marzo março марта मार्च مارس آذار",
    "april apr avril abril aprile апреля अप्रैल أبريل إبريل نيسان",
    "may mai mayo maio maggio мая मई مايو أيار",
    "june jun juni juin junio junho giugno июня जून يونيو حزيران",
    "july jul juli juillet julio julho luglio июля जुलाई يوليو تموز",
    "august aug août agosto августа अगस्त أغسطس",
    "september sep sept septembre septiembre setembro settembre сентября सितंबर सितम्बर سبتمبر أيلول",
    "october oct oktober okt octobre octubre outubro ottobre октября अक्टूबर अक्तूबर أكتوبر",
    "november nov novembre noviembre novembro ноября नवंबर नवम्बर نوفمبر",
    "december dec dezember dez décembre diciembre dezembro dicembre декабря दिसंबर दिसम्बर ديسمبر",
)
MONTHS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
"""Name in lower case to number."""
CAPITAL_ONLY = frozenset({"may", "march", "mar", "mars", "mai"})
"""Months only where they are written with a capital: they are other words too."""
