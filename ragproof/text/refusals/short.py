"""Whole answers of a word or two that stand for "there is no answer", in any language."""

# letters of other scripts are what this is about

from __future__ import annotations

from ragproof.text.folding import folded

_SAID = (
    "n/a | na | n.a | none | null | nil | nan | unknown | unanswerable | not answerable | "
    "unanswered | no answer | no data | not found | not available | unavailable | "
    "not applicable | not specified | unspecified | not mentioned | not stated | not given | "
    "not provided | not known | not disclosed | no information | no info | no context | "
    "no results | no result | no match | no matches | idk | dunno | no idea | no clue | "
    "undetermined | indeterminate | inconclusive | unclear | uncertain | unsure | "
    "insufficient information | insufficient context | insufficient data | "
    "not enough information | no comment | nothing found | nothing | cannot answer | "
    "can't answer | cannot say | not sure | i pass | pass | noanswer | no_answer | "
    "out of scope | no response | <unk> | unk | tbd | no answer found | "
    "no answer available | no relevant information",
    "unbekannt | keine angabe | keine angaben | k.a | keine antwort | nicht bekannt | "
    "nicht angegeben | keine | nicht verfügbar | nicht gefunden | nichts gefunden | "
    "keine daten | keine information | keine informationen | nicht erwähnt | unklar | "
    "keine ahnung | weiß nicht | nicht beantwortbar",
    "inconnu | inconnue | non précisé | non précisée | sans réponse | aucun | aucune | "
    "aucune réponse | aucune information | non disponible | non spécifié | non mentionné | "
    "indisponible | indéterminé | introuvable | pas de réponse | pas d'information | n.d | "
    "n/d | s/o | non communiqué | aucun résultat",
    "desconocido | desconocida | se desconoce | sin respuesta | sin información | "
    "sin datos | ninguno | ninguna | no disponible | no especificado | no mencionado | "
    "no se menciona | no se especifica | no consta | ni idea | no hay información | "
    "no hay respuesta | no encontrado | no se sabe | indeterminado | no procede",
    "desconhecido | desconhecida | sem resposta | sem informação | sem dados | nenhum | "
    "nenhuma | não disponível | não especificado | não mencionado | não informado | "
    "não encontrado | não consta | indisponível | não há resposta | não há informação | "
    "não se sabe",
    "sconosciuto | sconosciuta | nessuna risposta | nessuna informazione | nessuno | "
    "nessuna | non specificato | non menzionato | non indicato | non trovato | ignoto | "
    "nessun dato | nessun risultato | senza risposta | non pervenuto | non noto",
    "未知 | 不明 | 无 | 無 | 没有 | 暂无 | 不详 | 无法回答 | 无答案 | 没有答案 | 无相关信息 | "
    "暂无信息 | 无数据 | 未提及 | 未找到 | "
    "不知道 | 不清楚 | 无从得知 | 不确定 | 未说明 | 无结果 | 没有信息 | 不可知 | 未提供",
    "なし | 無し | 該当なし | 回答なし | 情報なし | 記載なし | 不詳 | 回答不能 | 回答不可 | "
    "データなし | 特になし | わからない | 分からない",
    "неизвестно | нет ответа | нет данных | нет информации | не указано | не найдено | н/д | "
    "не знаю | не упоминается | ответа нет | информация отсутствует | данных нет | "
    "без ответа | неясно | не определено",
    "غير معروف | غير معلوم | لا يوجد | لا توجد معلومات | غير متوفر | غير متاح | لا إجابة | "
    "لا أعرف | لا أدري | لا شيء | غير محدد | غير مذكور | لا توجد إجابة | مجهول | "
    "لا معلومات | لا تتوفر معلومات",
    "अज्ञात | उपलब्ध नहीं | कोई उत्तर नहीं | कोई जानकारी नहीं | पता नहीं | मालूम नहीं | "
    "ज्ञात नहीं | कुछ नहीं | कोई नहीं | उल्लेख नहीं | नहीं पता | जानकारी नहीं | लागू नहीं | "
    "जानकारी उपलब्ध नहीं",
)
SHORT = frozenset(folded(one) for line in _SAID for one in line.split(" | "))
"""Folded, without what stands around them."""
