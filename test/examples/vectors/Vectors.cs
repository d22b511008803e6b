#nullable disable
using System;
using System.Collections.Generic;
using System.Text.Json;

public class Vectors
{
    public static void Main()
    {
        for (string line; (line = Console.ReadLine()) != null;)
        {
            string[] fields = line.Split('\t');
            bool told = fields[0] == "digest"
                ? FirstPayment.IsDigest(fields[2], Convert.FromBase64String(fields[3]))
                : FirstPayment.IsSigned(JsonSerializer.Deserialize<Dictionary<string, string>>(fields[2]), fields[3], fields[4],
                    JsonDocument.Parse(fields[5]).RootElement);
            Console.WriteLine(fields[1] + (told ? " true" : " false"));
        }
    }
}
